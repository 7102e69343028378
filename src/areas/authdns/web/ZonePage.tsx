import { Button, Group, Menu, Text } from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { RecordSetDraft, Zone } from '../model.ts'
import { ApplyTemplateDialog } from './ApplyTemplateDialog.tsx'
import { authdns } from './api.ts'
import { ForceDialog } from './ForceDialog.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { useExport, useZone } from './queries.ts'
import { RecordDialog } from './RecordDialog.tsx'
import { RecordTable } from './RecordTable.tsx'
import { type EditedSet, keyOf, type Staged } from './staged.ts'
import { done } from './ZoneDialogs.tsx'
import { DnssecCard } from './DnssecCard.tsx'

type Asking = 'import' | 'template' | 'apply' | 'add'

/** The records of a zone: edits are staged, reviewed as a plan, and applied at once. */
export function ZonePage() {
  const { zone: encoded = '' }: { zone?: string } = useParams({ strict: false })
  const name = decodeURIComponent(encoded)
  const { data: zone, error, refetch, isPending } = useZone(name)
  return (
    <Page title={name} about={zone && <Facts zone={zone} />}>
      {error && !zone && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={8} />}
      {zone && (
        <>
          <Editor zone={zone} key={zone.name} />
          <DnssecCard zone={zone} />
        </>
      )}
    </Page>
  )
}

const Facts = ({ zone: { kind, serial, dnssec, rrsets } }: { readonly zone: Zone }) => (
  <Group gap="md" component="span">
    <span>{kind}</span>
    <span>serial {serial}</span>
    <span>{dnssec ? 'signed' : 'unsigned'}</span>
    <span>{rrsets.length} record sets</span>
  </Group>
)

function Editor({ zone }: { readonly zone: Zone }) {
  const [staged, setStaged] = useState<Staged>({})
  const [asking, ask] = useState<Asking>()
  const count = Object.keys(staged).length
  const close = () => ask(undefined)
  const unstage = ({ key }: EditedSet) =>
    setStaged((now) => Object.fromEntries(Object.entries(now).filter(([each]) => each !== key)))
  const remove = ({ key, name, type }: EditedSet) =>
    setStaged((now) => ({ ...now, [key]: { name, type, changetype: 'DELETE' } }))
  const stage = (draft: RecordSetDraft) => setStaged((now) => ({ ...now, [keyOf(draft)]: draft }))
  const isReadOnly = zone.kind === 'Slave'
  return (
    <>
      {!isReadOnly && (
        <Group justify="space-between">
          <Group gap="sm">
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => ask('add')}>
              Add records
            </Button>
            <More zone={zone.name} onAsk={ask} />
          </Group>
          {count > 0 && (
            <Group gap="sm" role="status">
              <Text size="sm">
                {count} {count === 1 ? 'change is' : 'changes are'} not yet applied
              </Text>
              <Button variant="default" onClick={() => setStaged({})}>
                Discard
              </Button>
              <Button onClick={() => ask('apply')}>Review changes</Button>
            </Group>
          )}
        </Group>
      )}
      <RecordTable
        zone={zone}
        staged={staged}
        {...(!isReadOnly && { actions: { onStage: stage, onRemove: remove, onUnstage: unstage } })}
      />
      {asking === 'import' && <ImportDialog zone={zone.name} onClose={close} />}
      {asking === 'template' && <ApplyTemplateDialog zone={zone.name} onClose={close} />}
      {asking === 'add' && (
        <RecordDialog
          zone={zone.name}
          onClose={close}
          onStage={(draft) => {
            stage(draft)
            close()
          }}
        />
      )}
      {asking === 'apply' && (
        <ForceDialog
          title={`Change ${zone.name}`}
          confirmLabel="Apply"
          callOf={(force) =>
            authdns.patchDnsRecords({
              params: { zone: zone.name },
              query: { force },
              body: { rrsets: Object.values(staged) },
            })
          }
          onClose={close}
          onDone={async () => {
            setStaged({})
            await done(close, 'The records were changed.')
          }}
        />
      )}
    </>
  )
}

function More({ zone, onAsk }: { readonly zone: string; readonly onAsk: (asking: Asking) => void }) {
  const { mutate } = useExport()
  const save = () =>
    mutate(zone, {
      onSuccess: ({ bind_data: text }) => {
        const link = document.createElement('a')
        link.href = URL.createObjectURL(new Blob([text], { type: 'text/dns' }))
        link.download = `${zone.replaceAll('/', '_')}.zone`
        link.click()
        URL.revokeObjectURL(link.href)
      },
    })
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDots size={16} aria-hidden />}>
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAsk('template')}>Apply a template</Menu.Item>
        <Menu.Item onClick={() => onAsk('import')}>Import a zone file</Menu.Item>
        <Menu.Item onClick={save}>Export as a zone file</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
