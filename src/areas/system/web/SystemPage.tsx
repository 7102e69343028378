import { Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatBytes, formatDuration } from '../../../web/kit/format.ts'
import { Page } from '../../../web/kit/Page.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { SystemInfo } from '../model.ts'
import { Meter } from './Meter.tsx'
import { useSystemInfo } from './queries.ts'

/** The key figures of the host and the panel. */
export function SystemPage() {
  const info = useSystemInfo()
  if (info.error && !info.data)
    return (
      <Page title="System">
        <Failure error={info.error} onRetry={() => void info.refetch()} />
      </Page>
    )
  if (!info.data)
    return (
      <Page title="System">
        <Loading rows={5} />
      </Page>
    )
  return (
    <Page
      title={info.data.hostname}
      about={`${info.data.os} · ${info.data.kernel} · ${info.data.architecture}`}
    >
      <Figures info={info.data} />
    </Page>
  )
}

function Figures({ info }: { readonly info: SystemInfo }) {
  const { memory, cpu, panel } = info
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 4 }}>
        <Figure
          title="Load"
          value={info.load.map((each) => each.toFixed(2)).join(' · ')}
          note={`${cpu.cores} processors, ${cpu.model}`}
        >
          <Meter label="Load of the last minute" used={info.load[0] ?? 0} total={cpu.cores} />
        </Figure>
        <Figure
          title="Memory"
          value={formatBytes(memory.total_bytes - memory.available_bytes)}
          note={`of ${formatBytes(memory.total_bytes)} used`}
        >
          <Meter
            label="Memory in use"
            used={memory.total_bytes - memory.available_bytes}
            total={memory.total_bytes}
          />
        </Figure>
        <Figure title="Uptime" value={formatDuration(info.uptime_seconds)} note="since the host started" />
        <Figure
          title="Panel"
          value={`Version ${panel.version}`}
          note={`${formatBytes(panel.memory_bytes)} of memory, running for ${formatDuration(panel.uptime_seconds)}, ${panel.is_root ? 'as root' : 'as an ordinary user'}`}
        />
      </SimpleGrid>
      <Card withBorder radius="lg" p="lg">
        <Title order={2} size="h4" mb="md">
          Disks
        </Title>
        <Stack gap="md">
          {info.disks.map((disk) => (
            <DiskRow key={`${disk.device} ${disk.mount}`} disk={disk} />
          ))}
        </Stack>
        {info.disks.length === 0 && <Text c="dimmed">No disk is mounted here.</Text>}
      </Card>
    </>
  )
}

interface FigureProps {
  readonly title: string
  readonly value: string
  readonly note: string
  readonly children?: ReactNode
}

function Figure({ title, value, note, children }: FigureProps) {
  return (
    <Card withBorder radius="lg" p="lg">
      <Title order={2} size="xs" c="dimmed" fw={600}>
        {title}
      </Title>
      <Text size="xl" fw={700} mt={4}>
        {value}
      </Text>
      <Text size="xs" c="dimmed" mb={children ? 'sm' : 0}>
        {note}
      </Text>
      {children}
    </Card>
  )
}

function DiskRow({ disk }: { readonly disk: SystemInfo['disks'][number] }) {
  return (
    <div>
      <Group justify="space-between" gap={4} mb={6}>
        <Text size="sm" fw={600} className="anywhere">
          {disk.mount}{' '}
          <Text span c="dimmed" size="xs">
            {disk.device} · {disk.type}
          </Text>
        </Text>
        <Text size="sm" c="dimmed">
          {formatBytes(disk.available_bytes)} free of {formatBytes(disk.size_bytes)}
        </Text>
      </Group>
      <Meter
        label={`${disk.mount} in use`}
        used={disk.used_bytes}
        total={disk.used_bytes + disk.available_bytes}
      />
    </div>
  )
}
