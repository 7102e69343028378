import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { AddressList } from './AddressList.tsx'
import { PortCheck } from './PortCheck.tsx'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import { useServerName, useServerTimezone } from './queries.ts'
import { ServerNameForm } from './ServerNameForm.tsx'
import { TimezoneForm } from './TimezoneForm.tsx'

/** The name, the time zone and the addresses of the host. */
export function MachinePage() {
  const name = useServerName()
  const zone = useServerTimezone()
  return (
    <Page title="Host" about="The name of this host, its time zone, and how the internet reaches it.">
      <SettingsTabs />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <SectionCard title="Name">
          <Loaded query={name}>{(data) => <ServerNameForm key={data.server_name} current={data} />}</Loaded>
        </SectionCard>
        <SectionCard title="Time zone">
          <Loaded query={zone}>{(data) => <TimezoneForm key={data.timezone} current={data} />}</Loaded>
        </SectionCard>
        <SectionCard title="Addresses">
          <AddressList />
        </SectionCard>
        <SectionCard title="Check a port">
          <PortCheck />
        </SectionCard>
      </SimpleGrid>
    </Page>
  )
}

interface LoadedProps<Value> {
  readonly query: {
    readonly data: Value | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
  readonly children: (value: Value) => ReactNode
}

function Loaded<Value>({ query: { data, error, refetch }, children }: LoadedProps<Value>) {
  if (data !== undefined) return children(data)
  return error ? <Failure error={error} onRetry={() => refetch()} /> : <Loading rows={2} />
}
