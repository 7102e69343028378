/** Evaluates rules for requests that a log tells of. What a log lacks is unknown, and then the outcome may be as well. */
export const replayLua = String.raw`local unknown = {}
local logged_fields = { "address", "method", "path", "query", "referer", "agent", "host" }

local function logged_reader(line)
  local lacks = function() return unknown end
  local fields = {
    ip = function() return line.address end,
    country = function() return line.address end,
    host = function() return line.host or unknown end,
    path = function() return line.path end,
    query = function() return line.query end,
    method = function() return line.method end,
    header = function(name)
      if name == "user-agent" then return line.agent end
      if name == "referer" then return line.referer end
      return unknown
    end,
    cookie = lacks,
    user_agent = function() return line.agent end,
    referer = function() return line.referer end,
    request_rate = lacks,
  }
  return function(field, argument) return fields[field](argument) end
end

-- true, false, or nil with the first field that the log lacks
local function rule_outcome(rule, data, read)
  local missing
  for _, c in ipairs(rule.conditions) do
    if read(c.f, c.a) == unknown then
      missing = missing or (c.a and c.f .. ":" .. c.a or c.f)
    elseif not fulfilled(c, data, read) then
      return false
    end
  end
  if missing then return nil, missing end
  return true
end

-- the positions of the rules that match, false, or nil with the first field that the log lacks
local function ruleset_outcome(set, data, read)
  local matched, missing = {}, nil
  for index, rule in ipairs(set.rules) do
    local yes, lacks = rule_outcome(rule, data, read)
    if yes then
      matched[#matched + 1] = index
      if set.combine == "any" then return matched end
    elseif lacks then
      missing = missing or lacks
    elseif set.combine == "all" then
      return false
    end
  end
  if missing then return nil, missing end
  return matched[1] and matched or false
end

local final = { allow = true, block = true, redirect = true }

-- "m" and the rules of the ruleset that match, "e" if an earlier ruleset decides, "u" and what would have to be known, or ""
local function verdict_of(data, site, target, read)
  local missing
  for _, set in ipairs(data.rulesets) do
    local matched, lacks = nil, nil
    if concerns(set, site) then matched, lacks = ruleset_outcome(set, data, read) end
    if set.id == target then
      if lacks then return "u" .. lacks end
      if not matched then return "" end
      return missing and "u" .. missing or "m" .. concat(matched, ",")
    end
    if matched and final[set.action] then return missing and "u" .. missing or "e" end
    -- whether a challenge was passed and how many requests came before is not in the log
    if matched and set.action ~= "log" then lacks = set.action end
    missing = missing or (set.action ~= "log" and lacks or nil)
  end
  return ""
end

`
