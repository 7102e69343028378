import { Button, Checkbox, Modal, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { DialogFooter } from '../../../../web/kit/DialogFooter.tsx'
import { formatBytes, formatMoment } from '../../../../web/kit/format.ts'
import { canOverwrite, type Choice, type Clash, settleClash, useClash } from '../conflicts.ts'

/** Asks how to resolve a name conflict. */
export function ConflictDialog() {
  const asked = useClash()
  return asked && <Question key={asked.work} clash={asked.clash} />
}

/** The questions of one operation; the "for all" choice resets with the next. */
function Question({ clash }: { readonly clash: Clash }) {
  const [forAll, setForAll] = useState(false)
  const end = (choice: Choice) => settleClash({ choice, forAll })
  return (
    <Modal
      opened
      onClose={() => end('skip')}
      title="This name is taken"
      closeButtonProps={{ 'aria-label': 'Skip and close' }}
      zIndex={300}
    >
      <Stack gap="md">
        <Text size="sm" className="anywhere">
          {clash.folder === '' ? 'The home' : clash.folder} already has{' '}
          {clash.there.type === 'folder' ? 'a folder' : 'a file'} named <b>{clash.label}</b>.
        </Text>
        <Comparison clash={clash} />
        <Checkbox
          label="Apply to all conflicts"
          checked={forAll}
          onChange={(event) => setForAll(event.currentTarget.checked)}
        />
        <DialogFooter>
          <Button variant="default" onClick={() => end('skip')}>
            Skip
          </Button>
          {canOverwrite(clash) && (
            <Button variant="default" c="var(--mantine-color-error)" onClick={() => end('overwrite')}>
              {clash.isFolder ? 'Merge, replacing files' : 'Replace'}
            </Button>
          )}
          <Button data-autofocus onClick={() => end('both')}>
            Keep both
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

function Comparison({ clash: { there, comes, isFolder } }: { readonly clash: Clash }) {
  if (isFolder || comes === undefined) return null
  const line = (title: string, size: number, time: string | undefined) => (
    <Table.Tr>
      <Table.Th scope="row">{title}</Table.Th>
      <Table.Td>{formatBytes(size)}</Table.Td>
      <Table.Td>{time && formatMoment(time)}</Table.Td>
    </Table.Tr>
  )
  return (
    <Table withTableBorder layout="auto" fz="xs">
      <Table.Tbody>
        {line('Existing', there.size_bytes, there.modified_at)}
        {line('New', comes.size_bytes, comes.modified_at)}
      </Table.Tbody>
    </Table>
  )
}
