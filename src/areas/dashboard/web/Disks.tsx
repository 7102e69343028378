import { Group, Stack, Text } from '@mantine/core'
import { formatBytes } from '../../../web/kit/format.ts'
import type { SystemInfo } from '../../system/web/queries.ts'
import { Meter } from './Meter.tsx'
import { Section } from './Section.tsx'

type Disk = SystemInfo['disks'][number]

/** The space of the mounted file systems. */
export function Disks({ disks }: { readonly disks: readonly Disk[] }) {
  return (
    <Section title="Disk space">
      <Stack gap="md">
        {disks.map((disk) => (
          <DiskRow key={`${disk.device} ${disk.mount}`} disk={disk} />
        ))}
      </Stack>
      {disks.length === 0 && <Text c="dimmed">No disk is mounted here.</Text>}
    </Section>
  )
}

function DiskRow({ disk }: { readonly disk: Disk }) {
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
