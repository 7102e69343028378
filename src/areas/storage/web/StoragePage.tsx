import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import { Extension, type LvmStorage } from '../model.ts'
import { storage } from './api.ts'
import { useStorage } from './queries.ts'

type Group = LvmStorage['groups'][number]
type Volume = LvmStorage['volumes'][number]

const sizeText = {
  size: {
    label: 'Size',
    hint: '100%FREE for all free space of the group, +5G for 5 GiB more, 5G for the new size',
  },
}

/** The groups and volumes of LVM, and their free space. */
export function StoragePage() {
  const { data, ...query } = useStorage()
  const [extended, setExtended] = useState<Volume>()
  const groups = useWholePage({ ...query, data: data?.groups })
  const volumes = useWholePage({ ...query, data: data?.volumes })
  return (
    <Page title="Storage" about="Logical volumes grow while they are in use, by free space of their group.">
      <SettingsTabs />
      <Stack gap="xl">
        {data && data.reason !== '' && (
          <Alert color="gray" title="No volume can be extended">
            {data.reason}
          </Alert>
        )}
        <DataTable
          label="Volumes"
          columns={volumeColumns(setExtended)}
          query={volumes}
          rowKey={({ path }) => path}
          empty={<Empty title="No logical volumes" />}
        />
        <DataTable
          label="Volume groups"
          columns={groupColumns}
          query={groups}
          rowKey={({ name }) => name}
          empty={<Empty title="No volume groups" />}
        />
      </Stack>
      {extended && (
        <PlannedForm
          title={`Extend ${extended.group}/${extended.name}`}
          confirmLabel="Extend the volume"
          schema={Extension}
          only={['size']}
          text={sizeText}
          autoComplete={{ size: 'off' }}
          callOf={(body) =>
            storage.extendVolume({ body: { ...body, volume: `${extended.group}/${extended.name}` } })
          }
          onClose={() => setExtended(undefined)}
          onDone={() => {
            setExtended(undefined)
            notify('The volume was extended.')
            return readAgain('storage')
          }}
        />
      )}
    </Page>
  )
}

const groupColumns: Column<Group>[] = [
  { id: 'name', title: 'Group', value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: 'size',
    title: 'Size',
    value: ({ size_bytes }) => size_bytes,
    cell: ({ size_bytes }) => formatBytes(size_bytes),
  },
  {
    id: 'free',
    title: 'Free',
    value: ({ free_bytes }) => free_bytes,
    cell: ({ free_bytes }) => formatBytes(free_bytes),
  },
]

const volumeColumns = (onExtend: (volume: Volume) => void): Column<Volume>[] => [
  {
    id: 'name',
    title: 'Volume',
    value: ({ group, name }) => `${group}/${name}`,
    cell: ({ group, name }) => <span className="anywhere">{`${group}/${name}`}</span>,
  },
  {
    id: 'size',
    title: 'Size',
    value: ({ size_bytes }) => size_bytes,
    cell: ({ size_bytes }) => formatBytes(size_bytes),
  },
  {
    id: 'mount',
    title: 'Mounted at',
    value: ({ mount }) => mount,
    cell: ({ mount, file_system }) => (
      <Text size="sm" className="anywhere">
        {mount === '' ? 'Not mounted' : `${mount} (${file_system})`}
      </Text>
    ),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (volume) => (
      <Button
        size="compact-xs"
        variant="light"
        aria-label={`Extend ${volume.group}/${volume.name}`}
        onClick={() => onExtend(volume)}
      >
        Extend
      </Button>
    ),
  },
]
