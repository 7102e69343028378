import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Page } from '../../../web/kit/Page.tsx'
import { PageTabs } from '../../../web/kit/PageTabs.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { useEngine } from './queries.ts'

const tabs = [
  { to: '/containers', label: 'Containers' },
  { to: '/containers/catalog', label: 'Catalog' },
  { to: '/containers/stacks', label: 'Stacks' },
  { to: '/containers/exposure', label: 'Exposure' },
  { to: '/containers/images', label: 'Images' },
  { to: '/containers/registries', label: 'Registries' },
  { to: '/containers/backups', label: 'Backups' },
]

interface ContainersFrameProps {
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of the pages of containers: the state of the engine and the tabs. */
export const ContainersFrame = ({ actions, children }: ContainersFrameProps) => (
  <Page title="Containers" about={<EngineState />} actions={actions}>
    <PageTabs label="Pages of containers" tabs={tabs} />
    {children}
  </Page>
)

function EngineState() {
  const { data } = useEngine()
  if (!data) return 'Containers of Docker Engine.'
  const { running, version, containers, running_containers: up, reason } = data
  return (
    <Group gap="4px 12px" component="span">
      <StateBadge state={running ? 'active' : 'stopped'} />
      <span>Docker Engine {version}</span>
      <span>
        {up} of {containers} running
      </span>
      {reason && <span>{reason}</span>}
    </Group>
  )
}
