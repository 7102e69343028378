import Type from 'typebox'
import { flat } from '../../../core/reply.ts'
import { Text } from '../../../core/schemas.ts'
import { failures } from '../../../core/endpoint.ts'
import { endpoint } from '../context.ts'
import { notLive, refused, unwritten } from '../failures.ts'
import * as lists from '../lists.ts'
import * as model from '../model.ts'
import { AddressInvalid, DomainsInvalid, NameInvalid, OrderInvalid } from '../problems.ts'

const ListPath = Type.Object({ name: Text(200, { description: 'Name of the list' }) })
const addressBytes = 10 * 1024 * 1024
const domainBytes = 34 * 1024 * 1024

export const listAddresses = endpoint({
  method: 'GET',
  path: '/address-lists',
  summary: 'List the address lists',
  effect: 'reads',
  reply: flat(model.AddressLists),
  run: ({ dnslb }) => lists.listAddresses(dnslb),
})

export const writeAddresses = endpoint({
  method: 'POST',
  path: '/address-lists',
  summary: 'Create or replace an address list that allows, blocks or limits clients',
  effect: 'changes',
  category: 'services',
  bodyBytes: addressBytes,
  body: model.AddressListDraft,
  reply: flat(model.Done),
  throws: failures(notLive, { bad_request: [NameInvalid, AddressInvalid] }),
  run: ({ body, dnslb }) => lists.writeAddresses(dnslb, body),
})

export const deleteAddresses = endpoint({
  method: 'DELETE',
  path: '/address-lists/{name}',
  summary: 'Remove an address list',
  effect: 'destroys',
  category: 'services',
  params: ListPath,
  reply: flat(model.Done),
  throws: failures(notLive, { bad_request: NameInvalid }),
  run: ({ params, dnslb }) => lists.deleteAddresses(dnslb, params.name),
})

export const listDomains = endpoint({
  method: 'GET',
  path: '/domain-lists',
  summary: 'List the domain lists with their domains',
  effect: 'reads',
  reply: flat(model.DomainLists),
  run: ({ dnslb }) => lists.listDomains(dnslb),
})

export const writeDomains = endpoint({
  method: 'POST',
  path: '/domain-lists',
  summary: 'Create or replace a list of domains that are blocked or exempt',
  effect: 'changes',
  category: 'services',
  bodyBytes: domainBytes,
  body: model.DomainListDraft,
  reply: flat(model.DomainListWritten),
  throws: { bad_request: [NameInvalid, DomainsInvalid], write_error: unwritten, config_error: refused },
  run: ({ body, dnslb }) => lists.writeDomains(dnslb, body),
})

export const reorderDomains = endpoint({
  method: 'POST',
  path: '/domain-lists/reorder',
  summary: 'Change the order in which domain lists are evaluated',
  effect: 'changes',
  category: 'services',
  body: model.ListOrder,
  reply: flat(model.Done),
  throws: { bad_request: OrderInvalid, write_error: unwritten, config_error: refused },
  run: ({ body, dnslb }) => lists.reorderDomains(dnslb, body.order),
})

export const deleteDomains = endpoint({
  method: 'DELETE',
  path: '/domain-lists/{name}',
  summary: 'Remove a domain list',
  effect: 'destroys',
  category: 'services',
  params: ListPath,
  reply: flat(model.Done),
  throws: { bad_request: NameInvalid, delete_error: unwritten, config_error: refused },
  run: ({ params, dnslb }) => lists.deleteDomains(dnslb, params.name),
})

export const replaceLists = endpoint({
  method: 'POST',
  path: '/sync-files',
  summary: 'Replace all lists by those of another panel',
  effect: 'changes',
  category: 'services',
  bodyBytes: domainBytes,
  body: model.SyncedFiles,
  reply: flat(model.Done),
  throws: failures(notLive, { bad_request: [NameInvalid, AddressInvalid, DomainsInvalid] }),
  run: ({ body, dnslb }) => lists.replaceLists(dnslb, body),
})
