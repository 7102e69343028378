import { Table, Text } from '@mantine/core'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { useBlockedNames } from './queries.ts'

/** The names that are blocked most, and by what. */
export function BlockedNames() {
  const { data, error, isPending, refetch } = useBlockedNames()
  return (
    <SectionCard title="Top blocked names">
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={2} />}
      {data?.names.length === 0 && (
        <Text size="sm" c="dimmed">
          None of the last queries was for a blocked name.
        </Text>
      )}
      {data && data.names.length > 0 && (
        <Table aria-label="Top blocked names">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Blocked by</Table.Th>
              <Table.Th ta="right">Queries</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.names.map(({ name, by, queries }) => (
              <Table.Tr key={name}>
                <Table.Td className="anywhere">{name}</Table.Td>
                <Table.Td className="anywhere">{by}</Table.Td>
                <Table.Td ta="right">{queries}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </SectionCard>
  )
}
