import { failures, local } from '../../../core/endpoint.ts'
import { created, data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { ofReading, ofWriting } from '../failures.ts'
import * as groups from '../groups.ts'
import {
  EntryPath,
  GroupPath,
  IpEntries,
  IpEntryDraft,
  IpEntryId,
  IpGroup,
  IpGroupDraft,
  IpGroups,
  OfGroup,
} from '../groups-model.ts'
import { OfWebsite } from '../model.ts'
import { EntryInvalid, GroupExists, GroupNotFound, GroupUsed, TooMany } from '../problems.ts'

const category = local('the rules are those of websites of this host')
const unknown = { not_found: GroupNotFound }

export const listIpGroups = endpoint({
  method: 'GET',
  path: '/ip-groups',
  summary: "List the address groups of a website's owner",
  effect: 'reads',
  query: OfWebsite,
  reply: data(IpGroups),
  throws: ofReading,
  run: ({ webacl, query, caller }) => groups.listGroups(webacl, { ...query, caller }),
})

export const createIpGroup = endpoint({
  method: 'POST',
  path: '/ip-groups',
  summary: 'Add an empty address group',
  effect: 'changes',
  category,
  body: IpGroupDraft,
  reply: created(IpGroup),
  throws: failures(ofWriting, { bad_request: [GroupExists, TooMany] }),
  run: ({ webacl, body, caller }) => groups.createGroup(webacl, { ...body, caller }),
})

export const deleteIpGroup = endpoint({
  method: 'DELETE',
  path: '/ip-groups/{name}',
  summary: 'Delete an address group that no rule uses',
  effect: 'destroys',
  category,
  params: GroupPath,
  query: OfWebsite,
  reply: succeeded,
  throws: failures(ofWriting, unknown, { bad_request: GroupUsed }),
  run: ({ webacl, params, query, caller }) => groups.deleteGroup(webacl, { ...params, ...query, caller }),
})

export const listIpEntries = endpoint({
  method: 'GET',
  path: '/ip-groups/{name}/entries',
  summary: 'List the entries of an address group',
  effect: 'reads',
  params: GroupPath,
  query: OfWebsite,
  reply: data(IpEntries),
  throws: failures(ofReading, unknown),
  run: ({ webacl, params, query, caller }) => groups.listEntries(webacl, { ...params, ...query, caller }),
})

export const addIpEntry = endpoint({
  method: 'POST',
  path: '/ip-groups/{name}/entries',
  summary: 'Append addresses or networks to an address group',
  description:
    'An entry is stored and shown as it is given, without the space around it. nginx compares with the network of an address with host bits, and with the IPv4 address of a mapped one.',
  effect: 'changes',
  category,
  params: GroupPath,
  body: IpEntryDraft,
  bodyBytes: 8 * 1024 * 1024,
  reply: created(IpEntryId),
  throws: failures(ofWriting, unknown, { bad_request: [EntryInvalid, TooMany] }),
  run: ({ webacl, params, body, caller }) =>
    groups.addEntries(webacl, { ...params, website_id: body.website_id, caller }, [
      body.ip_or_subnet,
      ...(body.further ?? []),
    ]),
})

export const deleteIpEntry = endpoint({
  method: 'DELETE',
  path: '/ip-entries/{ip}',
  summary: 'Remove every entry of an address group that is exactly this text',
  description: 'The slash of a network is sent as %2F.',
  effect: 'destroys',
  category,
  params: EntryPath,
  query: OfGroup,
  reply: succeeded,
  throws: failures(ofWriting, unknown),
  run: ({ webacl, params, query: { group, website_id }, caller }) =>
    groups.deleteEntry(webacl, { name: group, website_id, caller }, params.ip),
})
