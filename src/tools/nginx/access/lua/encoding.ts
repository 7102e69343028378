/** Reads and writes the encoding of rules (`../encoding.ts`). */
export const encodingLua = String.raw`-- Written by Hostreeve.
local byte, find, sub, lower, rep = string.byte, string.find, string.sub, string.lower, string.rep
local concat, floor = table.concat, math.floor
local bit = require("bit")
local M = { owners = {} }

local function decode(text)
  local at = 1
  local function value()
    local kind = sub(text, at, at)
    if kind == "t" or kind == "f" then
      at = at + 1
      return kind == "t"
    end
    if kind == "i" then
      local last = find(text, "e", at, true)
      local number = tonumber(sub(text, at + 1, last - 1))
      at = last + 1
      return number
    end
    if kind == "l" or kind == "d" then
      local made, count = {}, 0
      at = at + 1
      while sub(text, at, at) ~= "e" do
        if at > #text then error("it ends too early") end
        local item = value()
        if kind == "l" then
          count = count + 1
          made[count] = item
        else
          made[item] = value()
        end
      end
      at = at + 1
      return made
    end
    local colon = find(text, ":", at, true)
    local length = colon and tonumber(sub(text, at, colon - 1))
    if not length or colon + length > #text then error("it is damaged at byte " .. at) end
    at = colon + length + 1
    return sub(text, colon + 1, colon + length)
  end
  local made = value()
  if at ~= #text + 1 then error("it goes on after its end") end
  return made
end

local function encode(value)
  local kind = type(value)
  if kind == "string" then return #value .. ":" .. value end
  if kind == "number" then return "i" .. string.format("%.0f", value) .. "e" end
  if kind == "boolean" then return value and "t" or "f" end
  local made = {}
  if value[1] ~= nil or next(value) == nil then
    for index, item in ipairs(value) do made[index] = encode(item) end
    return "l" .. concat(made) .. "e"
  end
  for key, item in pairs(value) do made[#made + 1] = encode(key) .. encode(item) end
  return "d" .. concat(made) .. "e"
end

`
