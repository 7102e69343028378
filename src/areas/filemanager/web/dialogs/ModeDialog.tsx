import { Button, Checkbox, Code, Group, Modal, Radio, Stack, Table, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { humanize } from '../../../../web/kit/format.ts'
import type { Reach } from '../calls.ts'
import { bitOf, bitsOf, classesOfUsers, lettersOf, octalOf, rights } from '../modes.ts'
import type { Item } from '../queries.ts'

interface ModeDialogProps {
  readonly items: readonly Item[]
  readonly onApply: (mode: string, reach: Reach) => void
  readonly onClose: () => void
}

const reaches: readonly { readonly value: Reach; readonly label: string }[] = [
  { value: 'itself', label: 'What is chosen alone' },
  { value: 'all', label: 'Everything in it too' },
  { value: 'files', label: 'The files in it, and no folder' },
  { value: 'folders', label: 'It and the folders in it, and no file' },
]

/** Who may read, write and execute: as boxes and as an octal number, which follow each other. */
export function ModeDialog({ items, onApply, onClose }: ModeDialogProps) {
  const first = (bitsOf(items[0]?.mode ?? '') ?? 0o644) & 0o1777
  const [octal, setOctal] = useState(octalOf(first))
  const [reach, setReach] = useState<Reach>('itself')
  const bits = bitsOf(octal)
  const hasFolder = items.some(({ type }) => type === 'folder')
  const isMixed = new Set(items.map(({ mode }) => mode)).size > 1
  const what = items.length === 1 ? items[0]?.label : `${items.length} entries`
  return (
    <Modal opened onClose={onClose} title={`Permissions of ${what}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {isMixed && (
          <Text size="sm" c="dimmed">
            They have different modes now; all get this one.
          </Text>
        )}
        <RightsGrid bits={bits ?? 0} onChange={(next) => setOctal(octalOf(next))} />
        <Group align="flex-start" gap="md" wrap="nowrap">
          <TextInput
            w={110}
            label="Octal"
            value={octal}
            onChange={(event) => setOctal(event.currentTarget.value.trim())}
            maxLength={4}
            inputMode="numeric"
            error={bits === undefined ? 'Such as 644' : undefined}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <Stack gap={6} mt={2}>
            <Text size="sm" fw={500}>
              As ls shows it
            </Text>
            <Code fz="sm">{bits === undefined ? '?' : lettersOf(bits)}</Code>
          </Stack>
        </Group>
        {hasFolder && (
          <Radio.Group
            label="What gets it"
            value={reach}
            onChange={(value) => setReach(reaches.find((each) => each.value === value)?.value ?? 'itself')}
          >
            <Stack gap={6} mt={6}>
              {reaches.map(({ value, label }) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        {hasFolder && reach !== 'files' && bits !== undefined && !(bits & 0o100) && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            Without execute for the owner, nobody can open the folders any more.
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={bits === undefined} onClick={() => onApply(octal, reach)}>
            Set the permissions
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function RightsGrid({ bits, onChange }: { readonly bits: number; readonly onChange: (bits: number) => void }) {
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
