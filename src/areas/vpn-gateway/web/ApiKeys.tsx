import { Badge, Button, Code, Group } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { VpnApiKey } from '../model.ts'
import { vpnGateway } from './api.ts'
import { done, useApiKeys } from './queries.ts'

const columns: readonly Column<VpnApiKey>[] = [
  {
    id: 'prefix',
    title: 'API key',
    cell: ({ prefix, is_of_panel }) => (
      <Group gap={6}>
        <Code className="anywhere">{prefix}</Code>
        {is_of_panel && <Badge variant="light">Of the panel</Badge>}
      </Group>
    ),
  },
  { id: 'seen', title: 'Last used', cell: ({ last_seen }) => <Moment time={last_seen} /> },
  { id: 'expires', title: 'Expires', cell: ({ expires_at }) => <Moment time={expires_at} /> },
]

/** The keys of the API of the control server. */
export function ApiKeys() {
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string>()
  const stop = () => setMaking(false)
  return (
    <>
      <DataTable
        label="API keys"
        columns={columns}
        query={useWholePage(useApiKeys())}
        rowKey={({ id }) => id}
        filters={
          <Button variant="default" onClick={() => setMaking(true)}>
            Make an API key
          </Button>
        }
        empty={<Empty title="No API keys">Other programs ask the control server with a key.</Empty>}
      />
      {isMaking && (
        <ChangeDialog
          title="Make an API key"
          confirmLabel="Make"
          call={vpnGateway.createVpnApiKey()}
          onClose={stop}
          onDone={({ key }: { key: string }) => {
            setMade(key)
            return done(stop, 'The API key was made.')
          }}
        />
      )}
      {made !== undefined && (
        <OnceShownDialog title="API key" label="API key" secret={made} onClose={() => setMade(undefined)} />
      )}
    </>
  )
}
