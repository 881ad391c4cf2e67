-- A session as a person has it: open a script that escapes, read what is said, take the offered entry, save it. What was seen is
-- written as JSON to $SEEN. Needs nothing but Neovim; `SETTINGS` is the block of docs/editors.md for this version.
local seen = { version = tostring(vim.version().minor) }

local function wait(what, holds)
  seen[what] = vim.wait(60000, holds, 50)
end

local function ask(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 20000) or {}) do
    if answer.result then return answer.result end
  end
end

local function escapes()
  return vim.tbl_filter(function(one) return one.severity == vim.diagnostic.severity.ERROR end, vim.diagnostic.get(0))
end

dofile(vim.env.SETTINGS)
vim.cmd("filetype on")
vim.cmd("edit scripts/run.py")
local script = vim.api.nvim_get_current_buf()
wait("diagnosed", function() return #escapes() > 0 end)
local found = escapes()[1] or { lnum = 0, message = "" }
seen.line, seen.message = found.lnum + 1, found.message
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, 0 })

local encoding = "utf-16"
local hover = ask("textDocument/hover", vim.lsp.util.make_position_params(0, encoding))
seen.hover = hover and (hover.contents.value or hover.contents)

local params = vim.lsp.util.make_range_params(0, encoding)
params.context = { diagnostics = { { range = params.range, message = found.message, severity = found.severity } } }
local actions = ask("textDocument/codeAction", params) or {}
seen.actions = vim.tbl_map(function(one) return one.title end, actions)
if actions[1] then
  vim.lsp.util.apply_workspace_edit(actions[1].edit, encoding)
  vim.cmd("wall")
end
vim.api.nvim_set_current_buf(script)
wait("settled", function() return #escapes() == 0 end)

local file = assert(io.open(vim.env.SEEN, "w"))
file:write(vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen))
file:close()
vim.cmd("qall!")
