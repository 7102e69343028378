import { Card, Group, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import type { Plugin } from '../model.ts'
import { plugins } from './api.ts'
import { usePlugins, useSwitchPlugin } from './queries.ts'

/** The plugins, with a switch that enables each. */
export function PluginsPage() {
  const list = usePlugins()
  const turn = useSwitchPlugin()
  const [disabled, setDisabled] = useState<Plugin>()
  const onTurn = (plugin: Plugin, isOn: boolean) => {
    if (!isOn && !plugin.planned) return setDisabled(plugin)
    turn.mutate(
      { name: plugin.name, isOn },
      {
        onSuccess: () => notify(`${plugin.title} is ${isOn ? 'enabled' : 'disabled'}.`),
        onError: (error) => notify(textOf(error), true),
      },
    )
  }
  return (
    <Page title="Plugins" about="Enabled: the area is available. Installed: its program is on this host.">
      {list.error && !list.data && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.data && (
        <>
          <Cards title="Available" of={list.data.filter(({ planned }) => !planned)} {...{ turn, onTurn }} />
          <Cards
            title="Planned"
            about="A later version of Hostreeve brings these; a switch takes effect then."
            of={list.data.filter(({ planned }) => planned)}
            {...{ turn, onTurn }}
          />
        </>
      )}
      {disabled && <DisableDialog plugin={disabled} onClose={() => setDisabled(undefined)} />}
    </Page>
  )
}

/** Disabling cuts off everyone who works with the area, so it is confirmed. */
function DisableDialog({ plugin, onClose }: { readonly plugin: Plugin; readonly onClose: () => void }) {
  const done = () => {
    onClose()
    notify(`${plugin.title} is disabled.`)
    return readAgain('plugins', 'areas')
  }
  return (
    <ChangeDialog
      title={`Disable ${plugin.title}`}
      confirmLabel="Disable"
      isCutOff
      call={plugins.disablePlugin({ params: { name: plugin.name } })}
      onClose={onClose}
      onDone={done}
    />
  )
}

interface CardsProps {
  readonly title: string
  readonly about?: string
  readonly of: readonly Plugin[]
  readonly turn: ReturnType<typeof useSwitchPlugin>
  readonly onTurn: (plugin: Plugin, isOn: boolean) => void
}

function Cards({ title, about, of, turn, onTurn }: CardsProps) {
  if (of.length === 0) return null
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {about && (
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
        {of.map((plugin) => (
          <PluginCard
            key={plugin.name}
            plugin={plugin}
            isBusy={turn.isPending && turn.variables.name === plugin.name}
            onTurn={(isOn) => onTurn(plugin, isOn)}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

function PluginCard({
  plugin,
  isBusy,
  onTurn,
}: {
  readonly plugin: Plugin
  readonly isBusy: boolean
  readonly onTurn: (isOn: boolean) => void
}) {
  return (
    <Card withBorder radius="lg" p="lg">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={3} size="h5">
          {plugin.title}
        </Title>
        <Switch
          checked={isBusy ? !plugin.enabled : plugin.enabled}
          disabled={isBusy}
          onChange={(event) => onTurn(event.currentTarget.checked)}
          aria-label={`${plugin.title} enabled`}
        />
      </Group>
      <Text size="sm" c="dimmed" mt={6} mb="md" flex={1}>
        {plugin.description}
      </Text>
      <Group gap="xs">
        {!plugin.planned && <StateBadge state={plugin.installed ? 'installed' : 'not installed'} />}
        {plugin.version && (
          <Text size="xs" c="dimmed">
            {plugin.version}
          </Text>
        )}
      </Group>
    </Card>
  )
}
