-- A session of a real client: open, edit, save, a new diagnostic with its path, the code action
-- applied. Run by long_neovim.sh; what it sees goes to standard error, a failure ends with status 1.
local file = os.getenv("FILE")
local limit = tonumber(os.getenv("LIMIT"))

local function fail(text)
  io.stderr:write("FAIL " .. text .. "\n")
  vim.cmd("cquit 1")
end

local function expect(seconds, what, test)
  if not vim.wait(seconds * 1000, test, 20) then
    fail(what .. "; diagnostics: " .. vim.inspect(vim.diagnostic.get(0)):sub(1, 3000))
  end
end

-- CPU seconds of the server and of its children that have ended.
local function cpu(pid)
  local stat = io.open("/proc/" .. pid .. "/stat"):read("a"):gsub("^.*%) ", "")
  local n = {}
  for word in stat:gmatch("%S+") do n[#n + 1] = tonumber(word) or 0 end
  return (n[12] + n[13] + n[14] + n[15]) / 100
end

vim.o.swapfile = false
vim.cmd("edit " .. vim.fn.fnameescape(file))
local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
local busy, ends = 0, 0
local id = vim.lsp.start_client({
  name = "stanch",
  cmd = { os.getenv("STANCH"), "lsp" },
  root_dir = os.getenv("PROGRAM"),
  init_options = { jobs = 1 },
  handlers = {
    ["$/progress"] = function(_, result)
      if result.value.kind == "begin" then busy = busy + 1 end
      if result.value.kind == "end" then busy, ends = busy - 1, ends + 1 end
    end,
  },
})
if not id then fail("the server was not started") end
vim.lsp.buf_attach_client(0, id)
local client
expect(60, "the server did not initialize", function()
  client = vim.lsp.get_client_by_id(id)
  return client and client.initialized
end)
expect(900, "the first analysis did not end", function() return ends > 0 and busy == 0 end)
local before = #vim.diagnostic.get(0)
local pid = io.open("/proc/self/task/" .. vim.fn.getpid() .. "/children"):read("a")
for word in pid:gmatch("%d+") do
  if io.open("/proc/" .. word .. "/cmdline"):read("a"):find("\0lsp", 1, true) then pid = word end
end

-- A file left open, at the end. Not memory: programs have malloc and free of their own.
local added = {
  "#include <stdio.h>",
  "int",
  "stanch_neovim_test (const char *name, int n)",
  "{",
  "  FILE *in = fopen (name, \"r\");",
  "  if (in == 0)",
  "    return 1;",
  "  if (n > 3)",
  "    return 2;",
  "  fclose (in);",
  "  return 0;",
  "}",
}
local spent = cpu(pid)
local start = vim.loop.hrtime()
vim.api.nvim_buf_set_lines(0, -1, -1, false, added)
vim.cmd("silent write")
expect(300, "the new leak was not shown", function() return #vim.diagnostic.get(0) == before + 1 end)
spent = cpu(pid) - spent
local seconds = (vim.loop.hrtime() - start) / 1e9
local new
for _, d in ipairs(vim.diagnostic.get(0)) do
  if d.lnum == #lines + 8 then new = d end
end
if not new then fail("not at the second return: " .. vim.inspect(vim.diagnostic.get(0))) end
if new.source ~= "stanch" or not new.message:find("fopen") then fail("it says: " .. new.message) end
local related = new.user_data.lsp.relatedInformation
if not related or #related < 3 then fail("its path is not there: " .. vim.inspect(new)) end
if related[1].location.range.start.line ~= #lines + 4 then fail("the path does not begin at the allocation") end
io.stderr:write(string.format("a new diagnostic with %d related places after %.2f s, %.2f s of CPU\n", #related, seconds, spent))
if spent > limit then fail(string.format("%.2f s of CPU, more than %g", spent, limit)) end

-- The code action, as the client offers it at the cursor.
vim.api.nvim_win_set_cursor(0, { new.lnum + 1, 4 })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics() }
local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 10000)
local actions = answers and answers[id] and answers[id].result or {}
if #actions ~= 1 then fail("code actions: " .. vim.inspect(answers)) end
vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
local comment = vim.api.nvim_buf_get_lines(0, new.lnum, new.lnum + 1, false)[1]
if not comment:find("stanch: ignore[resource-leak]", 1, true) then fail("the action wrote: " .. comment) end
vim.cmd("silent write")
expect(300, "the comment did not suppress it", function() return #vim.diagnostic.get(0) == before end)

-- While it is typed it does not compile: what was shown stays, with a note.
vim.api.nvim_buf_set_lines(0, -1, -1, false, { "int typing (" })
vim.cmd("silent write")
expect(300, "no note about the file that does not compile", function()
  for _, d in ipairs(vim.diagnostic.get(0)) do
    if d.severity == vim.diagnostic.severity.INFO and d.message:find("not analysed") then
      return #vim.diagnostic.get(0) == before + 1
    end
  end
end)
vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
vim.cmd("silent write")
expect(300, "the note stayed", function() return #vim.diagnostic.get(0) == before end)
vim.lsp.stop_client(id)
expect(20, "the server did not end", function() return vim.lsp.get_client_by_id(id) == nil or client.is_stopped() end)
vim.cmd("qall!")
