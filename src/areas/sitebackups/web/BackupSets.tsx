import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { type BackupSet, SetDraft } from '../model.ts'
import { sitebackups } from './api.ts'
import { readBackupsAgain, useBackupSets } from './queries.ts'

interface Asked {
  readonly kind: 'save' | 'delete'
  readonly set?: BackupSet
}

/** The sets of a website: what is backed up, when, and how many backups are kept. */
export function BackupSets({ id }: { readonly id: number }) {
  const { data, error, refetch } = useBackupSets(id)
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <SectionCard title="Sets">
      <Stack gap="md">
        {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
        {!error && !data && <Loading rows={2} />}
        {data && <Sets sets={data.sets} onAsk={setAsked} />}
        <Group>
          <Button variant="default" onClick={() => setAsked({ kind: 'save' })}>
            New set
          </Button>
        </Group>
      </Stack>
      {asked?.kind === 'save' && <SaveSet id={id} onClose={close} {...(asked.set && { set: asked.set })} />}
      {asked?.kind === 'delete' && asked.set && <DeleteSet id={id} name={asked.set.name} onClose={close} />}
    </SectionCard>
  )
}

interface SetsProps {
  readonly sets: readonly BackupSet[]
  readonly onAsk: (asked: Asked) => void
}

const Sets = ({ sets, onAsk }: SetsProps) => (
  <Table aria-label="Sets">
    <Table.Thead>
      <Table.Tr>
        {['Name', 'Content', 'Schedule', 'Kept', 'Action'].map((title) => (
          <Table.Th key={title}>{title}</Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {sets.map((set) => (
        <Table.Tr key={set.name}>
          <Table.Td>{set.name}</Table.Td>
          <Table.Td>
            {[set.files && 'Files', set.databases && 'Databases'].filter(Boolean).join(', ')}
          </Table.Td>
          <Table.Td>
            {set.schedule === '' ? <Text size="sm">On demand</Text> : <code>{set.schedule}</code>}
          </Table.Td>
          <Table.Td>{set.keep}</Table.Td>
          <Table.Td>
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                aria-label={`Edit ${set.name}`}
                onClick={() => onAsk({ kind: 'save', set })}
              >
                Edit
              </Button>
              {set.name !== 'default' && (
                <CutOffButton
                  size="xs"
                  aria-label={`Delete the set ${set.name}`}
                  onClick={() => onAsk({ kind: 'delete', set })}
                >
                  Delete
                </CutOffButton>
              )}
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

interface SaveSetProps {
  readonly id: number
  readonly set?: BackupSet
  readonly onClose: () => void
}

function SaveSet({ id, set, onClose }: SaveSetProps) {
  return (
    <PlannedForm
      title={set === undefined ? 'New set' : `Edit ${set.name}`}
      confirmLabel="Save the set"
      schema={SetDraft}
      {...(set && { initial: set })}
      text={{
        name: { label: 'Name' },
        files: { label: 'Files' },
        databases: { label: 'Databases' },
        schedule: {
          label: 'Schedule',
          hint: 'Minute, hour, day, month, weekday: 0 3 * * * is each night at 3:00',
        },
        keep: { label: 'Backups to keep' },
      }}
      callOf={(body: SetDraft) => sitebackups.saveBackupSet({ params: { id }, body })}
      onClose={onClose}
      onDone={() => {
        onClose()
        notify('The set was saved.')
        void readBackupsAgain()
      }}
    />
  )
}

interface DeleteSetProps {
  readonly id: number
  readonly name: string
  readonly onClose: () => void
}

function DeleteSet({ id, name, onClose }: DeleteSetProps) {
  return (
    <ChangeDialog
      title={`Delete the set ${name}`}
      confirmLabel="Delete the set"
      call={sitebackups.deleteBackupSet({ params: { id, name } })}
      onClose={onClose}
      onDone={() => {
        onClose()
        notify('The set was deleted; its backups stay.')
        void readBackupsAgain()
      }}
    />
  )
}
