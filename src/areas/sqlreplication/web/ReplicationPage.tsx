import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { SqldbFrame } from '../../sqldb/web/SqldbFrame.tsx'
import { ConnectDraft, type NewPrimary } from '../model.ts'
import { sqlreplication } from './api.ts'
import { PrimaryCards } from './PrimaryCards.tsx'
import { done, useReplication } from './queries.ts'
import { ReplicaCards } from './ReplicaCards.tsx'

type Asked = 'primary' | 'connect' | 'end'

/** The role of the SQL server in replication, what it does, and what mends it. */
export const ReplicationPage = () => (
  <SqldbFrame>
    <Replication />
  </SqldbFrame>
)

function Replication() {
  const { data, error, refetch } = useReplication()
  const [asked, ask] = useState<Asked>()
  const [key, setKey] = useState<string>()
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const close = () => ask(undefined)
  const showKey = ({ sync_key }: NewPrimary) => setKey(sync_key ?? undefined)
  return (
    <>
      {data.role === 'none' && <Choice onChoose={ask} />}
      {data.role === 'primary' && <PrimaryCards state={data} onKey={showKey} />}
      {data.role === 'replica' && data.replica && (
        <ReplicaCards state={data} replica={data.replica} onEnd={() => ask('end')} />
      )}
      {data.role !== 'none' && (
        <Group mt="lg">
          <CutOffButton onClick={() => ask('end')}>End the replication</CutOffButton>
        </Group>
      )}
      {asked === 'primary' && (
        <ChangeDialog
          title="Make it a primary"
          confirmLabel="Make it a primary"
          call={sqlreplication.makePrimary({ body: {} })}
          onClose={close}
          onDone={(reply: NewPrimary) => {
            showKey(reply)
            return done(close, 'This SQL server is a primary.')
          }}
        />
      )}
      {asked === 'connect' && (
        <PlannedForm
          title="Connect to a primary"
          confirmLabel="Connect"
          schema={ConnectDraft}
          text={connectText}
          callOf={(body: ConnectDraft) => sqlreplication.connectReplica({ body })}
          onClose={close}
          onDone={() => done(close, 'The replica is connected. Synchronise it next.')}
        />
      )}
      {asked === 'end' && (
        <ChangeDialog
          title="End the replication"
          confirmLabel="End it"
          isCutOff
          call={sqlreplication.removeReplication()}
          onClose={close}
          onDone={({ message }: { readonly message: string }) => done(close, `${message}.`)}
        />
      )}
      {key !== undefined && (
        <OnceShownDialog title="Sync key" label="sync key" secret={key} onClose={() => setKey(undefined)} />
      )}
    </>
  )
}

const connectText = {
  url: { label: 'Address', hint: 'Of the panel of the primary, such as https://db1.example.com:2087' },
  sync_key: { label: 'Sync key', hint: 'Generated when that server was made a primary' },
  name: { label: 'Name', hint: 'By which the primary lists this replica; empty for the name of this host' },
}

const Choice = ({ onChoose }: { readonly onChoose: (asked: Asked) => void }) => (
  <SectionCard title="Replication">
    <Text size="sm">
      A replica on a second host applies every change of this server, or this server those of another. A
      replica can be read, and take over.
    </Text>
    <Group>
      <Button variant="default" onClick={() => onChoose('primary')}>
        Make it a primary
      </Button>
      <Button variant="default" onClick={() => onChoose('connect')}>
        Connect to a primary
      </Button>
    </Group>
  </SectionCard>
)
