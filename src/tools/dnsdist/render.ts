import { createHash } from 'node:crypto'
import {
  type AddressList,
  type Balancer,
  balancerLine,
  databaseName,
  type DomainList,
  type Rule,
  type Server,
} from './balancer.ts'
import { luaString, luaStrings } from './lua.ts'

const refreshSeconds = 0

/**
 * Chooses among the servers that are up and have the lowest order, by their weights. None of the policies of dnsdist does both; its
 * default sends parallel queries to servers of any order. Where none is up, the index lies beyond the servers: dnsdist 1.7 drops the
 * query, as it does by default, but takes no notice of setServFailWhenNoServer.
 */
const serverPolicy = `setServerPolicyLuaFFIPerThread("hostreeve", [[
  local ffi = require("ffi")
  local C, found = ffi.C, ffi.new("const dnsdist_ffi_server_t *[1]")
  return function(servers)
    local count = tonumber(C.dnsdist_ffi_servers_list_get_count(servers))
    local lowest, candidates, total = math.huge, {}, 0
    for index = 0, count - 1 do
      C.dnsdist_ffi_servers_list_get_server(servers, index, found)
      local server = found[0]
      local order = tonumber(C.dnsdist_ffi_server_get_order(server))
      if C.dnsdist_ffi_server_is_up(server) and order <= lowest then
        if order < lowest then lowest, candidates, total = order, {}, 0 end
        total = total + tonumber(C.dnsdist_ffi_server_get_weight(server))
        candidates[#candidates + 1] = { index = index, upTo = total }
      end
    end
    local drawn = math.random() * total
    for _, candidate in ipairs(candidates) do
      if drawn < candidate.upTo then return candidate.index end
    end
    return count
  end
]])`

/** Renders servers, lists and rules as Lua: address lists first, then domain lists, then rules, each in its order. */
export function renderBalancer(balancer: Balancer, directory: string): string {
  return [
    '-- Written by Hostreeve; changes are overwritten.',
    balancerLine(balancer),
    serverPolicy,
    ...balancer.servers.map((server) => `${renderServer(server)}:${modes[server.mode]}()`),
    ...renderRules(balancer, directory),
    '',
  ].join('\n')
}

/** Identifies a balancer in the dnsdist that serves it. */
export const generationOf = (balancer: Balancer): string => generationOfLine(balancerLine(balancer))

/** Identifies the balancer of a line. */
export const generationOfLine = (line: string): string =>
  createHash('sha256').update(line).digest('hex').slice(0, 16)

/**
 * Renders the change from one balancer to another in a running dnsdist. What is new comes first and what is replaced goes
 * last, so that no pool is empty meanwhile and no query passes by the rules.
 */
export function renderLiveChange(from: Balancer, to: Balancer, directory: string): string {
  const isIn = ({ servers }: Balancer, server: Server) =>
    servers.some((each) => JSON.stringify(each) === JSON.stringify(server))
  const added = to.servers.filter((server) => !isIn(from, server))
  const removed = from.servers.filter((server) => !isIn(to, server))
  return [
    'local former = {}',
    'for _, server in ipairs(getServers()) do former[server:getName()] = server end',
    ...added.map(
      (server) => `${renderServer(server)}:${modes[server.mode]}(${server.mode === 'auto' ? 'true' : ''})`,
    ),
    ...removed.map(
      ({ name }) => `if former[${luaString(name)}] then rmServer(former[${luaString(name)}]) end`,
    ),
    ...renderRules(to, directory),
    ...ruleIds(from).map((id) => `rmRule(${luaString(id)})`),
    '',
  ].join('\n')
}

/** Renders lists and rules, with ids that differ from those of every other balancer. */
function renderRules(balancer: Balancer, directory: string): readonly string[] {
  const { addressLists, domainLists, rules } = balancer
  const rendered = [
    ...addressLists.map((each) => (id: string) => renderAddresses(each, id)),
    ...domainLists.map((each) => (id: string) => renderDomains(each, id, directory)),
    ...rules.map((each) => (id: string) => renderRule(each, id)),
  ]
  const ids = ruleIds(balancer)
  return [
    ...rendered.flatMap((render, index) => render(ids[index]!)),
    `hostreeve_generation = ${luaString(generationOf(balancer))}`,
  ]
}

function ruleIds(balancer: Balancer): readonly string[] {
  const generation = generationOf(balancer)
  const { addressLists, domainLists, rules } = balancer
  return [...addressLists, ...domainLists, ...rules].map((_rule, index) => {
    const text = createHash('sha256').update(`${generation} ${index}`).digest('hex')
    return text.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  })
}

const modes = { auto: 'setAuto', up: 'setUp', down: 'setDown' } as const

function renderServer({ name, address, pool, weight, order }: Server): string {
  const fields = [
    `address=${luaString(address)}`,
    `name=${luaString(name)}`,
    `pool=${luaString(pool)}`,
    `weight=${weight}`,
    `order=${order}`,
  ]
  return `newServer({${fields.join(', ')}})`
}

/** In dnsdist 1.7, NetmaskGroupRule takes no table, and addMasks only one of blocked addresses. */
function renderAddresses({ name, action, addresses, rateLimit }: AddressList, id: string): readonly string[] {
  const rendered = new Map([
    ['allow', ['NetmaskGroupRule(group)', 'AllowAction()']],
    ['block', ['NetmaskGroupRule(group)', 'RCodeAction(DNSRCode.REFUSED)']],
    ['ratelimit', [`AndRule({NetmaskGroupRule(group), MaxQPSIPRule(${rateLimit})})`, 'DropAction()']],
  ]).get(action)
  if (rendered === undefined) return []
  const [rule, outcome] = rendered
  return [
    'do',
    '  local group = newNMG()',
    `  for _, mask in ipairs(${luaStrings(addresses)}) do group:addMask(mask) end`,
    `  addAction(${rule}, ${outcome}, {name=${luaString(`address list ${name}`)}, uuid=${luaString(id)}})`,
    'end',
  ]
}

function renderDomains(list: DomainList, id: string, directory: string): readonly string[] {
  const outcome = list.action === 'block' ? 'RCodeAction(DNSRCode.NXDOMAIN)' : 'AllowAction()'
  const path = luaString(`${directory}/${databaseName(list)}`)
  return [
    'do',
    `  local names = newCDBKVStore(${path}, ${refreshSeconds})`,
    '  local rule = KeyValueStoreLookupRule(names, KeyValueLookupKeySuffix(2, true))',
    `  addAction(rule, ${outcome}, {name=${luaString(`domain list ${list.name}`)}, uuid=${luaString(id)}})`,
    'end',
  ]
}

function renderRule({ id, match, value, action, pool }: Rule, uuid: string): readonly string[] {
  const selector = {
    all: () => ['local selector = AllRule()'],
    type: () => [`local selector = QTypeRule(${luaString(value)})`],
    client: () => [
      'local group = newNMG()',
      `group:addMask(${luaString(value)})`,
      'local selector = NetmaskGroupRule(group)',
    ],
    domain: () => [
      'local names = newSuffixMatchNode()',
      `names:add(${luaString(value)})`,
      'local selector = SuffixMatchNodeRule(names)',
    ],
  }[match]()
  const outcome = {
    allow: 'AllowAction()',
    drop: 'DropAction()',
    nxdomain: 'RCodeAction(DNSRCode.NXDOMAIN)',
    pool: `PoolAction(${luaString(pool)})`,
    refuse: 'RCodeAction(DNSRCode.REFUSED)',
    truncate: 'TCAction()',
  }[action]
  const lines = [...selector, `addAction(selector, ${outcome}, {name="rule ${id}", uuid=${luaString(uuid)}})`]
  return ['do', ...lines.map((line) => `  ${line}`), 'end']
}
