import { Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useMemo } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { PanelSetting } from '../model.ts'
import type { Asking } from './SettingDialog.tsx'

interface SettingGroupProps {
  readonly group: string
  readonly all: readonly PanelSetting[]
  readonly onAsk: (asking: Asking) => void
}

/** One group of settings, with the button that edits those that the environment does not set. */
export function SettingGroup({ group, all, onAsk }: SettingGroupProps) {
  const settings = useMemo(() => all.filter((each) => each.group === group), [all, group])
  const query = useWholePage({ data: settings, error: null, isFetching: false, refetch: () => undefined })
  const editable = settings.filter(({ read_only }) => !read_only)
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {group}
        </Title>
        {editable.length > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPencil size={14} aria-hidden />}
            aria-label={`Edit ${group}`}
            onClick={() => onAsk({ what: 'edit', group, settings: editable })}
          >
            Edit
          </Button>
        )}
      </Group>
      <DataTable
        label={group}
        columns={columnsOf((setting) => onAsk({ what: 'reset', setting }))}
        query={query}
        rowKey={({ name }) => name}
        empty={<Empty title="No settings" />}
      />
    </Stack>
  )
}

const sources: Readonly<Record<PanelSetting['source'], string>> = {
  environment: 'Environment',
  'config.toml': 'config.toml',
  default: 'Default',
}

const columnsOf = (onReset: (setting: PanelSetting) => void): Column<PanelSetting>[] => [
  {
    id: 'title',
    title: 'Setting',
    cell: ({ title, description }) => (
      <>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      </>
    ),
  },
  { id: 'value', title: 'Value', width: '30%', cell: (setting) => <Value setting={setting} /> },
  { id: 'source', title: 'Source', width: '16%', cell: (setting) => <Source setting={setting} /> },
  {
    id: 'reset',
    title: 'Action',
    width: '10%',
    align: 'right',
    cell: (setting) =>
      setting.source === 'config.toml' &&
      !setting.read_only && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`Reset ${setting.title}`}
          onClick={() => onReset(setting)}
        >
          Reset
        </Button>
      ),
  },
]

function Value({ setting: { kind, set, value, pending } }: { readonly setting: PanelSetting }) {
  if (!set) return <Text size="sm">Not set</Text>
  return (
    <Group gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {kind === 'secret' ? 'Set' : value}
      </Text>
      {pending && (
        <Badge variant="light" color="orange" tt="none">
          After a restart
        </Badge>
      )}
    </Group>
  )
}

/** A setting that no form changes says how it is changed. */
function Source({ setting: { source, variable, read_only } }: { readonly setting: PanelSetting }) {
  return (
    <>
      <Text size="sm">{sources[source]}</Text>
      {read_only && (
        <Text size="xs" c="dimmed">
          Read-only here: change{' '}
          {source === 'environment' ? <Code>{variable}</Code> : 'the table in the file'} and restart the panel
        </Text>
      )}
    </>
  )
}
