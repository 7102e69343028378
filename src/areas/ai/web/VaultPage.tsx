import { Button, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { run } from '../../../web/client.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type Vault, VaultEntryDraft, VaultExportDraft, VaultImportDraft } from '../vault-model.ts'
import { ai } from './api.ts'
import { AssistantFrame } from './AssistantFrame.tsx'
import { done, restartMs } from './done.ts'
import { useVault } from './queries.ts'

type Entry = Vault['entries'][number]
type Asking = 'new' | 'export' | 'import' | Entry

/** The secrets that the assistant sees as variables. */
export const VaultPage = () => <AssistantFrame>{() => <Entries />}</AssistantFrame>

const columnsWith = (onDelete: (entry: Entry) => void): readonly Column<Entry>[] => [
  {
    id: 'name',
    title: 'Name',
    value: ({ name }) => name,
    cell: ({ name }) => <span className="anywhere">{name}</span>,
  },
  { id: 'value', title: 'Value', cell: ({ value }) => value },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (entry) => (
      <CutOffButton size="xs" aria-label={`Delete ${entry.name}`} onClick={() => onDelete(entry)}>
        Delete
      </CutOffButton>
    ),
  },
]

const entryText = {
  name: { label: 'Name', hint: 'Of the variable, such as DEPLOY_TOKEN' },
  value: { label: 'Value' },
}

function Entries() {
  const query = useVault()
  const [asking, setAsking] = useState<Asking>()
  const close = () => setAsking(undefined)
  const add = <Button onClick={() => setAsking('new')}>Add a secret</Button>
  return (
    <>
      <DataTable
        label="Secrets"
        columns={columnsWith(setAsking)}
        query={useWholePage(query)}
        rowKey={({ name }) => name}
        filters={
          <Group gap="xs">
            {add}
            <Button variant="default" onClick={() => setAsking('export')}>
              Export
            </Button>
            <Button variant="default" onClick={() => setAsking('import')}>
              Import
            </Button>
          </Group>
        }
        empty={
          <Empty title="No secrets" action={add}>
            The assistant sees each as a variable of its environment. It is restarted when one changes.
          </Empty>
        }
      />
      {asking === 'new' && (
        <PlannedForm
          title="Add a secret"
          confirmLabel="Save"
          schema={VaultEntryDraft}
          text={entryText}
          autoComplete={{ value: 'new-password' }}
          callOf={(body: VaultEntryDraft) => ai.setVaultEntry({ body, limitMs: restartMs })}
          onClose={close}
          onDone={() => done(close, 'The secret was saved.')}
        />
      )}
      {asking === 'export' && <ExportDialog onClose={close} />}
      {asking === 'import' && (
        <PlannedForm
          title="Import secrets"
          confirmLabel="Import"
          schema={VaultImportDraft}
          text={{ export: { label: 'Export', rows: 6 }, passphrase: { label: 'Passphrase' } }}
          autoComplete={{ passphrase: 'off' }}
          callOf={(body: VaultImportDraft) => ai.importVault({ body, limitMs: restartMs })}
          onClose={close}
          onDone={({ imported }: { readonly imported: number }) =>
            done(close, `${imported} secrets were imported.`)
          }
        />
      )}
      {typeof asking === 'object' && (
        <ChangeDialog
          title={`Delete ${asking.name}`}
          confirmLabel="Delete it"
          call={ai.deleteVaultEntry({ params: { name: asking.name }, limitMs: restartMs })}
          onClose={close}
          onDone={() => done(close, `${asking.name} was deleted.`)}
        />
      )}
    </>
  )
}

function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState<string>()
  if (text !== undefined)
    return (
      <OnceShownDialog
        title="Export of the vault"
        label="export"
        secret={text}
        fileName="vault.txt"
        onClose={onClose}
      />
    )
  const make = async (body: { readonly passphrase: string }) =>
    setText((await run(ai.exportVault({ body }))).export)
  return (
    <Modal opened onClose={onClose} title="Export the vault" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm" mb="md">
        The secrets are encrypted under the passphrase. Nobody can open the export without it.
      </Text>
      <SchemaForm
        schema={VaultExportDraft}
        text={{ passphrase: { label: 'Passphrase', hint: '12 characters or more' } }}
        autoComplete={{ passphrase: 'new-password' }}
        submitLabel="Export"
        onSubmit={make}
        onCancel={onClose}
      />
    </Modal>
  )
}
