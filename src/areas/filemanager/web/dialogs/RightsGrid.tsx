import { Checkbox, Table } from '@mantine/core'
import { humanize } from '../../../../web/kit/format.ts'
import { bitOf, classesOfUsers, rights } from '../modes.ts'

interface RightsGridProps {
  readonly bits: number
  readonly onChange: (bits: number) => void
}

/** The permissions as checkboxes. */
export function RightsGrid({ bits, onChange }: RightsGridProps) {
  return (
    <Table withTableBorder layout="fixed" horizontalSpacing={6} aria-label="Permissions">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Who</Table.Th>
          {rights.map((right) => (
            <Table.Th scope="col" key={right}>
              {humanize(right)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {classesOfUsers.map((user) => (
          <Table.Tr key={user}>
            <Table.Th scope="row">{humanize(user)}</Table.Th>
            {rights.map((right) => (
              <Table.Td key={right}>
                <Checkbox
                  aria-label={`${humanize(user)}: ${right}`}
                  data-autofocus={(user === classesOfUsers[0] && right === rights[0]) || undefined}
                  checked={(bits & bitOf(user, right)) !== 0}
                  onChange={() => onChange(bits ^ bitOf(user, right))}
                />
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
