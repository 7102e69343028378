import { Stack, Text } from '@mantine/core'
import { AddressLists } from './AddressLists.tsx'
import { BlockedNames } from './BlockedNames.tsx'
import { DnslbFrame } from './DnslbFrame.tsx'
import { DomainLists } from './DomainLists.tsx'

/** The lists of clients and of domains, and what they block most. */
export const ListsPage = () => (
  <DnslbFrame>
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Address lists come first, then domain lists, then rules; the first that matches decides.
      </Text>
      <AddressLists />
      <DomainLists />
      <BlockedNames />
    </Stack>
  </DnslbFrame>
)
