/** Evaluates rules for a request, or for one that is simulated. */
export const evaluateLua = String.raw`local function hex(bytes)
  return (string.gsub(bytes, ".", function(one) return string.format("%02x", byte(one)) end))
end

-- the binary form of a mapped address is the last four bytes of the IPv6 one
local function address_of(bytes)
  if #bytes == 16 and sub(bytes, 1, 12) == rep("\0", 10) .. "\255\255" then return hex(sub(bytes, 13)) end
  return hex(bytes)
end

-- a set is sorted pairs of a first and a last address, without gaps between them in the text
local function contains(set, address)
  local width = #address
  local ranges = width == 8 and set.v4 or set.v6
  local low, high = 0, #ranges / (2 * width) - 1
  while low <= high do
    local middle = floor((low + high) / 2)
    local from = middle * 2 * width
    if address < sub(ranges, from + 1, from + width) then
      high = middle - 1
    elseif address > sub(ranges, from + width + 1, from + 2 * width) then
      low = middle + 1
    else
      return true
    end
  end
  return false
end

local operators = {
  exists = function() return true end,
  equals = function(value, c) return value == c.v end,
  contains = function(value, c) return find(value, c.v, 1, true) ~= nil end,
  starts_with = function(value, c) return sub(value, 1, #c.v) == c.v end,
  ends_with = function(value, c) return #value >= #c.v and sub(value, -#c.v) == c.v end,
  within = function(value, c, data) return contains(data.sets[c.s], value) end,
  greater_than = function(value, c) return value > c.v end,
  matches = function(value, c, data)
    local from, _, problem = ngx.re.find(value, c.v, data.flags .. (c.i and "i" or ""))
    return from ~= nil, problem
  end,
}

-- an expression that exceeds its step limit decides nothing, so negating it does not either
local function fulfilled(c, data, read)
  local value = read(c.f, c.a)
  local yes, problem = false, nil
  if value ~= nil then yes, problem = operators[c.o](value, c, data) end
  if problem then return false, value, problem end
  if c.n then yes = not yes end
  return yes, value
end

local function rule_matches(rule, data, read, trace)
  local seen = trace and { rule = rule.id, conditions = {} }
  local all = true
  for index, c in ipairs(rule.conditions) do
    local yes, value, problem = fulfilled(c, data, read)
    if problem and not trace then
      ngx.log(ngx.ERR, "access rule ", rule.id, " of owner ", data.owner, ": ", problem)
    end
    if trace then
      local shown = value ~= nil and sub(tostring(value), 1, 200) or nil
      seen.conditions[index] = { index = index - 1, matched = yes, value = shown, problem = problem }
    end
    if not yes then
      all = false
      break
    end
  end
  if trace then
    seen.matched = all
    trace[#trace + 1] = seen
  end
  return all
end

local function ruleset_matches(set, data, read, trace)
  local matched = {}
  for _, rule in ipairs(set.rules) do
    if rule_matches(rule, data, read, trace) then
      matched[#matched + 1] = rule.id
      if set.combine == "any" then return matched end
    elseif set.combine == "all" then
      return nil
    end
  end
  return matched[1] and matched or nil
end

local function concerns(set, site)
  if not set.sites then return true end
  for _, id in ipairs(set.sites) do
    if id == site then return true end
  end
  return false
end

-- the first ruleset that ends the evaluation; what continues is told to the visitor of rulesets alone
local function decide(data, site, read, visit)
  for _, set in ipairs(data.rulesets) do
    if concerns(set, site) then
      local trace = visit.trace and {}
      local matched = ruleset_matches(set, data, read, trace)
      local ends = matched and visit.matched(set, matched) or false
      if trace then visit.trace(set, matched, trace, ends) end
      if ends then return set, matched end
    end
  end
end

local function cookie_in(header, name)
  for pair in string.gmatch(header or "", "[^;]+") do
    local key, value = string.match(pair, "^%s*([^=]-)%s*=%s*(.-)%s*$")
    if key == name then return value end
  end
end

-- header(name) returns the text of a request header; given is what is not in the request itself
local function reader(header, given)
  local fields = {
    ip = function() return given.address end,
    country = function() return given.address end, -- its conditions are sets of addresses
    host = function() return given.host end,
    path = function() return ngx.var.uri end,
    query = function() return ngx.var.args ~= "" and ngx.var.args or nil end,
    method = function() return given.method or ngx.req.get_method() end,
    header = header,
    cookie = function(name) return cookie_in(header("cookie"), name) end,
    user_agent = function() return header("user-agent") end,
    referer = function() return header("referer") end,
    request_rate = given.rate,
  }
  return function(field, argument) return fields[field](argument) end
end

local function header_reader(host)
  local headers
  return function(name)
    if host and name == "host" then return host end
    headers = headers or ngx.req.get_headers(0)
    local value = headers[name]
    if type(value) == "table" then return concat(value, name == "cookie" and "; " or ", ") end
    return value
  end
end

`
