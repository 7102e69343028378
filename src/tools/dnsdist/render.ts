import { createHash } from 'node:crypto'
import {
  type AddressList,
  type Balancer,
  balancerLine,
  type DomainList,
  type Rule,
  type Server,
} from './balancer.ts'
import { luaString, luaStrings } from './lua.ts'

const refreshSeconds = 0

/** Renders servers, lists and rules as Lua: address lists first, then domain lists, then rules, each in its order. */
export function renderBalancer(balancer: Balancer, directory: string): string {
  return [
    '-- Written by Hostreeve; changes are overwritten.',
    balancerLine(balancer),
    ...balancer.servers.map(renderServer),
    ...balancer.addressLists.flatMap(renderAddresses),
    ...balancer.domainLists.flatMap((each) => renderDomains(each, directory)),
    ...balancer.rules.flatMap(renderRule),
    '',
  ].join('\n')
}

/** Returns the name of the constant database of a domain list, which names its content. */
export function databaseName({ name, domains }: DomainList): string {
  return `${name}-${createHash('sha256').update(domains.join('\n')).digest('hex').slice(0, 16)}.cdb`
}

function renderServer({ name, address, pool, weight, order, mode }: Server): string {
  const state = { auto: 'setAuto', up: 'setUp', down: 'setDown' }[mode]
  const fields = [
    `address=${luaString(address)}`,
    `name=${luaString(name)}`,
    `pool=${luaString(pool)}`,
    `weight=${weight}`,
    `order=${order}`,
  ]
  return `newServer({${fields.join(', ')}}):${state}()`
}

/** In dnsdist 1.7, NetmaskGroupRule takes no table, and addMasks only one of blocked addresses. */
function renderAddresses({ name, action, addresses, rateLimit }: AddressList): readonly string[] {
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
    `  addAction(${rule}, ${outcome}, {name=${luaString(`address list ${name}`)}})`,
    'end',
  ]
}

function renderDomains(list: DomainList, directory: string): readonly string[] {
  const outcome = list.action === 'block' ? 'RCodeAction(DNSRCode.NXDOMAIN)' : 'AllowAction()'
  const path = luaString(`${directory}/${databaseName(list)}`)
  return [
    'do',
    `  local names = newCDBKVStore(${path}, ${refreshSeconds})`,
    '  local rule = KeyValueStoreLookupRule(names, KeyValueLookupKeySuffix(2, true))',
    `  addAction(rule, ${outcome}, {name=${luaString(`domain list ${list.name}`)}})`,
    'end',
  ]
}

function renderRule({ id, match, value, action, pool }: Rule): readonly string[] {
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
  const lines = [...selector, `addAction(selector, ${outcome}, {name="rule ${id}"})`]
  return ['do', ...lines.map((line) => `  ${line}`), 'end']
}
