import { Button, Code, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { NewSyncKey, SyncKey } from '../sync/model.ts'
import { authdns } from './api.ts'
import { useSyncKey } from './queries.ts'
import { done } from './ZoneDialogs.tsx'

/** The key by which other panels push zones to this one; a new one is shown once. */
export function SyncKeyCard() {
  const { data, error, refetch } = useSyncKey()
  const [asking, ask] = useState<'generate' | 'delete'>()
  const [key, setKey] = useState<string>()
  const close = () => ask(undefined)
  return (
    <SectionCard title="Sync key of this panel">
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && <KeyState of={data} />}
      <Group mt="sm">
        <Button variant="default" onClick={() => ask('generate')}>
          Generate a key
        </Button>
        {data?.configured && <CutOffButton onClick={() => ask('delete')}>Delete the key</CutOffButton>}
      </Group>
      {asking === 'generate' && (
        <ChangeDialog
          title="Generate a sync key"
          confirmLabel="Generate"
          call={authdns.createDnsSyncKey()}
          onClose={close}
          onDone={({ api_key }: NewSyncKey) => {
            setKey(api_key)
            return done(close, 'The sync key was generated.')
          }}
        />
      )}
      {asking === 'delete' && (
        <ChangeDialog
          title="Delete the sync key"
          confirmLabel="Delete"
          call={authdns.deleteDnsSyncKey()}
          onClose={close}
          onDone={() => done(close, 'The sync key was deleted.')}
        />
      )}
      {key !== undefined && (
        <OnceShownDialog title="Sync key" label="sync key" secret={key} onClose={() => setKey(undefined)} />
      )}
    </SectionCard>
  )
}

function KeyState({ of: { configured, key_prefix, last_used } }: { readonly of: SyncKey }) {
  if (!configured) return <Text size="sm">Without a key, no other panel can push zones to this one.</Text>
  return (
    <Text size="sm">
      Begins with <Code>{key_prefix}…</Code>, last used: <Moment time={last_used ?? null} />
    </Text>
  )
}
