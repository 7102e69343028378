import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import type { WebServers } from '../model.ts'
import { webserver } from './api.ts'
import { useWebServers } from './queries.ts'

type Server = WebServers['available'][number]

/** The web servers of the host: which one serves the websites, and what each lacks. */
export function WebServerPage() {
  const { data, error, refetch, isPending } = useWebServers()
  const [asked, ask] = useState<Server>()
  return (
    <Page title="Web server" about="One of them serves all websites, with the same certificates and logs.">
      <SettingsTabs />
      <OngoingWork kind="webserver.switch" />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      <Stack gap="lg">
        {data?.available.map((server) => (
          <ServerCard
            key={server.name}
            server={server}
            isActive={server.name === data.active}
            onSwitch={() => ask(server)}
          />
        ))}
      </Stack>
      {asked && <SwitchDialog server={asked} onClose={() => ask(undefined)} />}
    </Page>
  )
}

interface ServerCardProps {
  readonly server: Server
  readonly isActive: boolean
  readonly onSwitch: () => void
}

function ServerCard({ server, isActive, onSwitch }: ServerCardProps) {
  const { title, version, running, reason, obstacles } = server
  const isReady = reason === '' && obstacles.length === 0
  return (
    <SectionCard title={title}>
      <Stack gap="sm">
        <Group gap="sm">
          <StateBadge state={running ? 'running' : 'stopped'} />
          <Text size="sm">
            {version === null ? 'Not installed' : `Version ${version}`}
            {isActive && '. Serves the websites'}
          </Text>
        </Group>
        {reason !== '' && (
          <Alert color="orange" title={isActive ? 'Websites may not be served' : 'Cannot be switched to'}>
            {reason}
          </Alert>
        )}
        <Missing server={server} />
        <Obstacles server={server} />
        {!isActive && (
          <Group>
            <Button onClick={onSwitch} disabled={!isReady}>
              Switch to {title}
            </Button>
          </Group>
        )}
      </Stack>
    </SectionCard>
  )
}

function Missing({ server: { missing } }: { readonly server: Server }) {
  if (missing.length === 0) return null
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        Not available
      </Text>
      <List size="sm">
        {missing.map(({ feature, reason }) => (
          <List.Item key={feature}>
            {feature}: {reason}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}

function Obstacles({ server: { title, obstacles } }: { readonly server: Server }) {
  if (obstacles.length === 0) return null
  return (
    <Alert color="orange" title={`These websites cannot be served by ${title} as they are`}>
      <List size="sm">
        {obstacles.map(({ domain, reason }) => (
          <List.Item key={`${domain} ${reason}`} className="anywhere">
            {domain}: {reason}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

interface SwitchDialogProps {
  readonly server: Server
  readonly onClose: () => void
}

function SwitchDialog({ server: { name, title }, onClose }: SwitchDialogProps) {
  return (
    <ChangeDialog
      title={`Switch to ${title}`}
      confirmLabel={`Switch to ${title}`}
      call={webserver.switchWebServer({ body: { server: name } })}
      isCutOff
      onClose={onClose}
      onDone={() => {
        onClose()
        notify(`${title} serves the websites.`)
        return readAgain('webserver', 'services', 'jobs')
      }}
    />
  )
}
