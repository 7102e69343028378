/** Answers visitors whose request a ruleset ended, and the panel. */
export const answerLua = String.raw`local function counted(key)
  local minute = floor(ngx.time() / 60)
  return (ngx.shared.hostreeve_access_rates:incr(key .. ":" .. minute, 1, 0, 120)) or 0
end

local function hit(owner, id) ngx.shared.hostreeve_access_hits:incr(owner .. ":" .. id, 1, 0) end

-- takes the same time wherever two texts of one length differ
local function is_same(one, other)
  if #one ~= #other then return false end
  local differences = 0
  for index = 1, #one do
    differences = bit.bor(differences, bit.bxor(byte(one, index), byte(other, index)))
  end
  return differences == 0
end

local function signed(data, address, expiry)
  return hex(ngx.hmac_sha1(data.key, data.owner .. "|" .. address .. "|" .. expiry))
end

local function has_passed(data, address, header)
  local expiry, signature =
    string.match(cookie_in(header("cookie"), "hostreeve_access_" .. data.owner) or "", "^(%d+)%.(%x+)$")
  if not expiry or #expiry > 12 or tonumber(expiry) < ngx.time() then return false end
  return is_same(signature, signed(data, address, expiry))
end

local function answer(status, text)
  ngx.status = status
  ngx.header["Cache-Control"] = "no-store"
  ngx.header["Content-Type"] = "text/html; charset=utf-8"
  if text then ngx.print(text) end
  return ngx.exit(text and ngx.HTTP_OK or status)
end

local page = [[<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Checking your browser</title><body style="font:16px sans-serif;margin:4em auto;max-width:30em;padding:0 1em">
<h1>Checking your browser</h1><p id="text">This website opens in a moment.</p>
<noscript><p>This website needs JavaScript and cookies.</p></noscript>
<script>document.cookie="NAME=VALUE; path=/; max-age=SECONDS; samesite=lax"+(location.protocol==="https:"?"; secure":"");
if(document.cookie.indexOf("NAME=VALUE")>=0)location.reload();
else document.getElementById("text").textContent="This website needs cookies.";</script>]]

local actions = {
  allow = function() end,
  block = function(set)
    if set.options.status == 444 then return ngx.exit(444) end
    return answer(set.options.status, set.options.page)
  end,
  redirect = function(set) return ngx.redirect(set.options.url, set.options.status) end,
  rate_limit = function()
    ngx.header["Retry-After"] = 60 - ngx.time() % 60
    return answer(429)
  end,
  challenge = function(set, data, address)
    local seconds = set.options.hours * 3600
    local expiry = string.format("%.0f", ngx.time() + seconds)
    local filled = {
      NAME = "hostreeve_access_" .. data.owner,
      VALUE = expiry .. "." .. signed(data, address, expiry),
      SECONDS = tostring(seconds),
    }
    return answer(403, (string.gsub(page, "%u%u%u+", filled)))
  end,
}

local function evaluate(data, site)
  local address = address_of(ngx.var.binary_remote_addr)
  local header = header_reader()
  local rate
  local given = { address = address, host = ngx.var.host, rate = function() return rate end }
  if data.counts then rate = counted("r:" .. data.owner .. ":" .. site .. ":" .. address) end
  local matched = function(set, rules)
    if set.action == "challenge" and has_passed(data, address, header) then return false end
    hit(data.owner, set.id)
    for _, rule in ipairs(rules) do hit(data.owner, rule) end
    if set.action == "log" then
      ngx.log(ngx.ERR, "access ruleset ", set.id, " matched by rule ", rules[1])
      return false
    end
    if set.action ~= "rate_limit" then return true end
    return counted("l:" .. data.owner .. ":" .. set.id .. ":" .. address) > set.options.requests
  end
  local set = decide(data, site, reader(header, given), { matched = matched })
  return set, address
end

-- Called for each request of a website. What nginx redirects internally was evaluated already, and a certificate authority
-- must always reach its challenges.
function M.check(owner, site)
  if ngx.req.is_internal() or sub(ngx.var.uri, 1, 28) == "/.well-known/acme-challenge/" then return end
  local own = M.owners[owner]
  if not own then return end
  local ok, set, address = false, nil, nil
  if own.data then ok, set, address = pcall(evaluate, own.data, site) end
  if not ok then
    if own.data then ngx.log(ngx.ERR, "access rules of owner ", owner, " failed: ", set) end
    if own.closed then return ngx.exit(503) end
    return
  end
  if set then return actions[set.action](set, own.data, address) end
end

local function read_rules(path)
  local file, problem = io.open(path, "rb")
  if not file then error(problem, 0) end
  local text = file:read("*a")
  file:close()
  local digest, rest = string.match(text, "^(%x+)\n(.*)$")
  if not digest or ngx.md5(rest) ~= digest then error(path .. ": it is damaged", 0) end
  local data = decode(rest)
  data.flags = "jo"
  return data
end

-- Called once when nginx loads its configuration. A file that cannot be read is no reason not to start.
function M.load(owners)
  for _, each in ipairs(owners) do
    local ok, data = pcall(read_rules, each.path)
    M.owners[each.owner] = {
      path = each.path, closed = each.closed, data = ok and data or nil, problem = not ok and tostring(data) or nil,
    }
    if not ok then ngx.log(ngx.ERR, "access rules of owner ", each.owner, ": ", data) end
  end
end

-- Answers the panel: what is loaded for an owner, and how often each ruleset and rule has matched.
function M.report()
  local owner = tonumber(ngx.var.arg_owner)
  local own = M.owners[owner] or {}
  local hits = {}
  for _, set in ipairs(own.data and own.data.rulesets or {}) do
    local ids = { set.id }
    for _, rule in ipairs(set.rules) do ids[#ids + 1] = rule.id end
    for _, id in ipairs(ids) do
      local count = ngx.shared.hostreeve_access_hits:get(owner .. ":" .. id) or 0
      hits[#hits + 1] = { id = id, hits = count }
    end
  end
  ngx.print(encode({ path = own.path, problem = own.problem, hits = hits }))
end

local function problems_of(data)
  local problems = {}
  for _, set in ipairs(data.rulesets) do
    for _, rule in ipairs(set.rules) do
      for index, c in ipairs(rule.conditions) do
        if c.o == "matches" then
          local _, _, problem = ngx.re.find("", c.v, data.flags)
          if problem then problems[#problems + 1] = { rule = rule.id, index = index - 1, problem = problem } end
        end
      end
    end
  end
  return problems
end

-- nginx must neither shorten nor refuse the answer because of what the simulated visitor has
local about_answers = {
  "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range", "Accept-Encoding",
}

-- Evaluates the rules in the body for the request that carries them, as nginx itself has parsed its path and headers.
function M.simulate()
  ngx.req.read_body()
  local asked = decode(ngx.req.get_body_data() or "")
  if asked.lines then return ngx.print(encode(M.replay(asked))) end
  local data = asked.data
  data.flags = "j" -- the expressions of candidates must not fill the cache
  local steps = {}
  local given = {
    address = asked.address, host = asked.host, method = asked.method, rate = function() return asked.rate end,
  }
  local visit = {
    matched = function(set)
      if set.action == "log" or (set.action == "challenge" and asked.passed) then return false end
      return set.action ~= "rate_limit" or asked.rate > set.options.requests
    end,
    trace = function(set, matched, rules, ends)
      steps[#steps + 1] = { ruleset = set.id, matched = matched ~= nil, ends = ends, rules = rules }
    end,
  }
  local set = decide(data, asked.site, reader(header_reader(asked.host), given), visit)
  for _, name in ipairs(about_answers) do ngx.req.clear_header(name) end
  ngx.print(encode({ ruleset = set and set.id, path = ngx.var.uri, steps = steps, problems = problems_of(data) }))
end

-- Evaluates the rules up to one ruleset for logged requests. Visitors get their turn between some hundred of them.
function M.replay(asked)
  local data, fields, verdicts = asked.data, asked.lines, {}
  data.flags = "jo" -- the same expressions for each line
  local line = {}
  local read = logged_reader(line)
  local width = #logged_fields
  for at = 0, #fields - width, width do
    for index, name in ipairs(logged_fields) do
      local value = fields[at + index]
      if value == "\0" then line[name] = nil else line[name] = value end
    end
    verdicts[#verdicts + 1] = verdict_of(data, asked.site, asked.ruleset, read)
    if #verdicts % 256 == 0 then ngx.sleep(0) end
  end
  return { verdicts = verdicts, problems = problems_of(data) }
end

return M
`
