import Type from 'typebox'
import { Optional, Text } from '../../core/schemas.ts'
import { limits, Name, ofWebsite, PlainText } from './model.ts'

export const GroupPath = Type.Object({ name: Name('Name of the group') })
export const EntryPath = Type.Object({
  ip: Text(60, { minLength: 1, description: 'The entry as it is shown' }),
})
export const OfGroup = Type.Object({ ...ofWebsite, group: Name('Name of the group') })

export const IpGroup = Type.Object({
  id: Text(200, { description: 'The name' }),
  name: Text(200, { description: 'Name' }),
  description: Text(1000, { description: 'Empty but in the reply that creates the group' }),
  entry_count: Type.Integer({ minimum: 0, description: 'Number of entries' }),
})
export const IpGroups = Type.Array(IpGroup, { maxItems: limits.groups })
export const IpGroupDraft = Type.Object({
  ...ofWebsite,
  name: Name('Name of the group'),
  description: Optional(PlainText(1000, 'Shown in this reply alone')),
})
const described = { description: 'An address, or a network such as 192.0.2.0/24' }
const Address = Text(100, described)
/** The space around it, which may be the end of a line, is removed before it is read. */
const AddressDraft = Type.String({
  maxLength: 100,
  ...described,
  expects: 'an address, or a network such as 192.0.2.0/24',
})
export const IpEntryDraft = Type.Object({
  ...ofWebsite,
  ip_or_subnet: AddressDraft,
  further: Optional(
    Type.Array(AddressDraft, {
      maxItems: limits.entries,
      description: 'Further entries, appended with the same change',
      expects: `a list of at most ${limits.entries} addresses and networks`,
    }),
  ),
})
export const IpEntry = Type.Object({
  id: Type.Integer({ minimum: 0, description: 'Position, from 0' }),
  ip_or_subnet: Address,
})
export const IpEntries = Type.Array(IpEntry, { maxItems: limits.entries })
export const IpEntryId = Type.Object({ id: IpEntry.properties.id })
