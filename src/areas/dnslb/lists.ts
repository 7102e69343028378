import { ipv4Form } from '../../core/ipv4-form.ts'
import { success } from '../../core/reply.ts'
import { parseNetwork } from '../../host/networks.ts'
import { type AddressList, type DomainList, wireName } from '../../tools/dnsdist/index.ts'
import { changeBalancer, ordered, placed } from './change.ts'
import type { Dnslb } from './context.ts'
import type { AddressListDraft, DomainListDraft, SyncedFiles } from './model.ts'
import { AddressInvalid, DomainsInvalid, NameInvalid, OrderInvalid } from './problems.ts'

const defaultRate = 10

/** Lists the address lists, in the order in which they are evaluated. */
export async function listAddresses({ dnsdist }: Dnslb) {
  const { addressLists } = await dnsdist.readStored()
  const lists = addressLists.map(({ rateLimit, ...list }) => ({
    ...list,
    addresses: [...list.addresses],
    rate_limit: rateLimit,
  }))
  return { lists }
}

/** Adds or replaces an address list. */
export function writeAddresses(on: Dnslb, draft: AddressListDraft) {
  const list = addressListOf(draft)
  return changeBalancer(on, {
    summary: `Write the address list ${list.name}`,
    reply: success,
    edit: ({ addressLists }) => ({ addressLists: placed(addressLists, list, ({ name }) => name) }),
  })
}

/** Removes an address list; one that does not exist is ignored. */
export function deleteAddresses(on: Dnslb, given: string) {
  const name = keptName(given)
  return changeBalancer(on, {
    summary: `Remove the address list ${name}`,
    reply: success,
    edit: ({ addressLists }) => ({ addressLists: addressLists.filter((each) => each.name !== name) }),
  })
}

/** Lists the domain lists, in the order in which they are evaluated. */
export async function listDomains({ dnsdist }: Dnslb) {
  const { domainLists } = await dnsdist.readBalancer()
  return {
    lists: domainLists.map(({ domains: text, ...list }) => {
      const domains = text === '' ? [] : text.split('\n')
      return { ...list, domains, count: domains.length }
    }),
  }
}

/** Adds or replaces a domain list. */
export function writeDomains(on: Dnslb, draft: DomainListDraft) {
  const { list, count } = domainListOf(draft)
  return changeBalancer(on, {
    summary: `Write the domain list ${list.name}`,
    reply: { ...success, count },
    edit: ({ domainLists }) => ({ domainLists: placed(domainLists, list, ({ name }) => name) }),
  })
}

/** Removes a domain list; one that does not exist is ignored. */
export function deleteDomains(on: Dnslb, given: string) {
  const name = given.trim().toLowerCase()
  if (name === '') throw NameInvalid('name: must not be empty')
  return changeBalancer(on, {
    summary: `Remove the domain list ${name}`,
    reply: success,
    edit: ({ domainLists }) => ({ domainLists: domainLists.filter((each) => each.name !== name) }),
  })
}

/** Changes the order in which domain lists are evaluated. */
export function reorderDomains(on: Dnslb, order: readonly string[]) {
  return changeBalancer(on, {
    summary: 'Change the order of the domain lists',
    reply: success,
    edit: ({ domainLists }) => {
      const unknown = order.find((name) => domainLists.every((each) => each.name !== name))
      if (unknown !== undefined)
        throw OrderInvalid(`order: there is no domain list ${JSON.stringify(unknown)}`)
      return { domainLists: ordered(domainLists, order, ({ name }) => name) }
    },
  })
}

/** Replaces all lists by those of another panel. */
export function replaceLists(on: Dnslb, { address_lists, domain_lists }: SyncedFiles) {
  const addressLists = address_lists.map(addressListOf)
  const domainLists = domain_lists.map((draft) => domainListOf(draft).list)
  return changeBalancer(on, {
    summary: 'Replace the lists by those of another panel',
    reply: success,
    edit: () => ({ addressLists: unique(addressLists), domainLists: unique(domainLists) }),
  })
}

/** The last of several lists of one name replaces the others. */
const unique = <List extends { readonly name: string }>(lists: readonly List[]): readonly List[] => [
  ...new Map(lists.map((list) => [list.name, list])).values(),
]

function addressListOf({ name, action, addresses, rate_limit: rate }: AddressListDraft): AddressList {
  for (const address of addresses)
    if (parseNetwork(address) === undefined)
      throw AddressInvalid(
        `addresses: ${JSON.stringify(address)} is not an address or a network such as 192.0.2.0/24`,
      )
  return {
    name: keptName(name),
    action,
    addresses: addresses.map(ipv4Form),
    rateLimit: rate > 0 ? rate : defaultRate,
  }
}

function keptName(name: string): string {
  const kept = name.replaceAll(/[^a-zA-Z0-9_-]/g, '')
  if (kept === '') throw NameInvalid('name: must contain a letter, a digit, _ or -')
  return kept
}

interface CountedList {
  readonly list: DomainList
  readonly count: number
}

function domainListOf({ name: given, action, domains: text }: DomainListDraft): CountedList {
  const name = given.toLowerCase()
  if (!/^[a-z]{1,10}$/.test(name)) throw NameInvalid('name: must be 1 to 10 letters')
  const found = text
    .split('\n')
    .map((line) =>
      line
        .toLowerCase()
        .replaceAll(/[^a-z0-9.-]/g, '')
        .replaceAll(/^\.+|\.+$/g, ''),
    )
    .filter((domain) => domain.includes('.') && wireName(domain) !== undefined)
  const domains = new Set(found)
  if (domains.size === 0) throw DomainsInvalid('domains: must contain a domain such as example.com')
  return { list: { name, action, domains: [...domains].join('\n') }, count: domains.size }
}
