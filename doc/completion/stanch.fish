# fish completion for stanch(1)
set -l commands check run unit link show spec history lsp
set -l rules leak leak-at-exit resource-leak double-free use-after-free invalid-free mismatched-free

complete -c stanch -n "not __fish_seen_subcommand_from $commands" -f
complete -c stanch -n "not __fish_seen_subcommand_from $commands" -a check -d 'Analyse files or a build database'
complete -c stanch -n "not __fish_seen_subcommand_from $commands" -a run -d 'Observe a build, then analyse it'
complete -c stanch -n "not __fish_seen_subcommand_from $commands" -a unit -d 'One translation unit to an analysis object'
complete -c stanch -n "not __fish_seen_subcommand_from $commands" -a link -d 'Analyse units made elsewhere'
complete -c stanch -n "not __fish_seen_subcommand_from $commands" -a show -d 'Print what stanch understood'
complete -c stanch -n "not __fish_seen_subcommand_from $commands" -a spec -d 'Draft or check specifications'
complete -c stanch -n "not __fish_seen_subcommand_from $commands" -a history -d 'List recorded runs'
complete -c stanch -n "not __fish_seen_subcommand_from $commands" -a lsp -d 'Serve an editor'

complete -c stanch -n "__fish_seen_subcommand_from show" -a 'units ir calls points flow slice cfg project summary heap owners'
complete -c stanch -n "__fish_seen_subcommand_from spec" -a check

complete -c stanch -l format -x -a 'text gcc json sarif html' -d 'Form of the report'
complete -c stanch -s o -l output -r -d 'Write the report to a file'
complete -c stanch -s j -l jobs -x -d 'Units at once'
complete -c stanch -s p -l database -r -d 'Build database'
complete -c stanch -l level -x -a 'sure likely audit' -d 'How certain a finding must be'
complete -c stanch -l rules -x -a "$rules -$rules" -d 'Rules in or out'
complete -c stanch -l spec -r -d 'Specifications'
complete -c stanch -l suppress -r -d 'Suppressions'
complete -c stanch -l baseline -r -d 'Show only what is not in it'
complete -c stanch -l write-baseline -r -d 'Write the findings as a baseline'
complete -c stanch -l color -x -a 'auto always never' -d 'Colours'
complete -c stanch -s q -l quiet -d 'Headlines only'
complete -c stanch -s v -l verbose -d 'All events'
complete -c stanch -l no-cache -d 'Neither read nor write the cache'
complete -c stanch -l no-record -d 'Leave the history and the last run as they are'
complete -c stanch -l cache-dir -x -a '(__fish_complete_directories)' -d 'Where the cache is'
complete -c stanch -l stats -d 'Time and memory by stage'
complete -c stanch -s h -l help -d 'Print help'
complete -c stanch -n "__fish_seen_subcommand_from show" -l dot -d 'For Graphviz'
complete -c stanch -n "__fish_seen_subcommand_from show" -l indirect -d 'Calls through pointers, with their targets'
complete -c stanch -n "__fish_seen_subcommand_from history" -s n -l number -x -d 'List so many runs'
