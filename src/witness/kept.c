// What replays read, and what came of them, as bytes.
#include "witness/replay_int.h"

void wit_note_func(Machine *m, FuncId f)
{
    if (m->read) map_set(&m->read->funcs, f.id, 1);
}

void wit_note_global(Machine *m, GlobalId g)
{
    if (m->read) map_set(&m->read->globals, g.id, 1);
}

void witness_kept_free(WitnessKept *k)
{
    vec_free(&k->replays);
    map_free(&k->funcs);
    map_free(&k->globals);
}

void witness_pack(Pack *p, WitnessKept *k, PackPos pos)
{
    pack_vec(p, &k->replays, 20);
    vec_each (i, &k->replays) {
        WitnessReplay *r = &k->replays.at[i];
        r->verdict = (Replay)pack_enum(p, r->verdict, REPLAY_COUNT);
        r->stop = (WitnessStop)pack_enum(p, r->stop, STOP_COUNT);
        pack_text(p, &r->detail);
        pack_text(p, &r->text);
        if (!r->text) r->text = "";
        pack_witness(p, &r->witness, pos);
        pack_u64(p, &r->steps);
        pack_u32(p, &r->runs);
        if ((r->verdict == REPLAY_WITNESSED) != (r->witness != NULL)) p->bad = true;
    }
}
