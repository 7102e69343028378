import { luaString, luaStrings } from './lua.ts'

/** Clients, by address or network. */
export interface AddressList {
  readonly name: string
  /** `allow` exempts from all later lists and excludes nobody. */
  readonly action: 'allow' | 'block' | 'ratelimit'
  readonly addresses: readonly string[]
  /** Queries per second of one address; of `ratelimit` only. */
  readonly rateLimit: number
}

/** Domains with everything below them, in a constant database of names in wire format. */
export interface DomainList {
  readonly name: string
  readonly action: 'block' | 'whitelist'
  readonly path: string
}

const refreshSeconds = 0

/** Renders the lists as rules of dnsdist: those of addresses first, each kind in its order. */
export function renderLists(addresses: readonly AddressList[], domains: readonly DomainList[]): string {
  return [
    '-- Written by Hostreeve; changes are overwritten.',
    ...addresses.flatMap(renderAddresses),
    ...domains.flatMap(renderDomains),
    '',
  ].join('\n')
}

/** In dnsdist 1.7, NetmaskGroupRule takes no table, and addMasks only one of blocked addresses. */
function renderAddresses({ name, action, addresses, rateLimit }: AddressList): readonly string[] {
  const [rule, outcome] = {
    allow: ['NetmaskGroupRule(group)', 'AllowAction()'],
    block: ['NetmaskGroupRule(group)', 'RCodeAction(DNSRCode.REFUSED)'],
    ratelimit: [`AndRule({NetmaskGroupRule(group), MaxQPSIPRule(${rateLimit})})`, 'DropAction()'],
  }[action]
  return [
    'do',
    '  local group = newNMG()',
    `  for _, mask in ipairs(${luaStrings(addresses)}) do group:addMask(mask) end`,
    `  addAction(${rule}, ${outcome}, {name=${luaString(`address list ${name}`)}})`,
    'end',
  ]
}

function renderDomains({ name, action, path }: DomainList): readonly string[] {
  const outcome = action === 'block' ? 'RCodeAction(DNSRCode.NXDOMAIN)' : 'AllowAction()'
  return [
    'do',
    `  local names = newCDBKVStore(${luaString(path)}, ${refreshSeconds})`,
    '  local rule = KeyValueStoreLookupRule(names, KeyValueLookupKeySuffix(2, true))',
    `  addAction(rule, ${outcome}, {name=${luaString(`domain list ${name}`)}})`,
    'end',
  ]
}
