import { Card, Group, SimpleGrid, Switch, Text, Title } from '@mantine/core'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { textOf } from '../../../web/wire.ts'
import type { Plugin } from '../model.ts'
import { usePlugins, useSwitchPlugin } from './queries.ts'

/** The plugins, with a switch that enables each. */
export function PluginsPage() {
  const plugins = usePlugins()
  const turn = useSwitchPlugin()
  const onTurn = (plugin: Plugin, isOn: boolean) =>
    turn.mutate(
      { name: plugin.name, isOn },
      {
        onSuccess: () => notify(`${plugin.title} is ${isOn ? 'enabled' : 'disabled'}.`),
        onError: (error) => notify(textOf(error), true),
      },
    )
  return (
    <Page title="Plugins" about="Enabled: the area is available. Installed: its program is on this host.">
      {plugins.error && !plugins.data && (
        <Failure error={plugins.error} onRetry={() => void plugins.refetch()} />
      )}
      {plugins.isPending && <Loading />}
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
        {plugins.data?.map((plugin) => (
          <PluginCard
            key={plugin.name}
            plugin={plugin}
            isBusy={turn.isPending && turn.variables.name === plugin.name}
            onTurn={(isOn) => onTurn(plugin, isOn)}
          />
        ))}
      </SimpleGrid>
    </Page>
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
        <Title order={2} size="h5">
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
        <StateBadge state={plugin.installed ? 'installed' : 'not installed'} />
        {plugin.version && (
          <Text size="xs" c="dimmed">
            {plugin.version}
          </Text>
        )}
      </Group>
    </Card>
  )
}
