import { Button, Group, NativeSelect, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { run } from '../../../web/client.ts'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import type { Drill, DrillDraft } from '../drills/model.ts'
import { sitebackups } from './api.ts'
import { JobForm } from './JobForm.tsx'
import { useDrills } from './queries.ts'

/** The drills of a website: whether its backups restore, and the signed reports. */
export function WebsiteDrills({ website: { id, domain } }: { readonly website: WebsiteName }) {
  const query = useDrills(id)
  const [isAsking, setAsking] = useState(false)
  return (
    <SectionCard title="Restore drills">
      <Stack gap="md">
        <Text size="sm">
          A drill restores the newest backup into a scratch folder and scratch databases, compares them with
          what was backed up, and removes them. The website is not touched.
        </Text>
        <DataTable
          label="Restore drills"
          columns={columns}
          query={query}
          rowKey={(drill) => drill.id}
          empty={<Empty title="No drills yet">Start one to know that the backups restore.</Empty>}
        />
        <Group>
          <Button variant="default" onClick={() => setAsking(true)}>
            Start a drill
          </Button>
        </Group>
      </Stack>
      {isAsking && <StartDrill website={{ id, domain }} onClose={() => setAsking(false)} />}
    </SectionCard>
  )
}

interface WebsiteName {
  readonly id: number
  readonly domain: string
}

const columns: readonly Column<Drill>[] = [
  {
    id: 'ended_at',
    title: 'Time',
    cell: ({ ended_at: time, backup }) => (
      <>
        <Moment time={time} />
        <Text size="xs" c="dimmed" className="anywhere">
          {backup}
        </Text>
      </>
    ),
  },
  {
    id: 'result',
    title: 'Result',
    cell: ({ passed, message }) => (
      <>
        <StateBadge state={passed ? 'succeeded' : 'failed'} />
        {message !== '' && (
          <Text size="xs" c="dimmed" className="anywhere">
            {message}
          </Text>
        )}
      </>
    ),
  },
  { id: 'source', title: 'Location', cell: ({ source }) => (source === 's3' ? 'S3' : 'This host') },
  {
    id: 'report',
    title: 'Report',
    align: 'right',
    cell: (drill) => (
      <Button
        size="xs"
        variant="default"
        aria-label={`Download the report of drill ${drill.id}`}
        onClick={() => void downloadReport(drill).catch((error: unknown) => notify(String(error)))}
      >
        Download
      </Button>
    ),
  },
]

const addressMs = 60_000

/** Downloads a report with its signature as a file. */
async function downloadReport({ id, website_id }: Drill): Promise<void> {
  const signed = await run(sitebackups.getDrillReport({ params: { id: website_id, drill_id: id } }))
  const text = `${JSON.stringify(signed, undefined, 2)}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: url, download: `drill-${id}.json` }).click()
  setTimeout(() => URL.revokeObjectURL(url), addressMs)
}

const sources = [
  { value: '', label: 'Newest backup' },
  { value: 'local', label: 'This host' },
  { value: 's3', label: 'S3' },
] as const

interface StartDrillProps {
  readonly website: WebsiteName
  readonly onClose: () => void
}

/** Orders a drill, and shows its progress. */
function StartDrill({ website: { id, domain }, onClose }: StartDrillProps) {
  const [source, setSource] = useState<(typeof sources)[number]['value']>('')
  const [passphrase, setPassphrase] = useState('')
  const body: DrillDraft = {
    ...(source !== '' && { source }),
    ...(passphrase !== '' && { passphrase }),
  }
  return (
    <JobForm
      title={`Restore drill of ${domain}`}
      submitLabel="Start"
      call={sitebackups.drillWebsiteBackup({ params: { id }, body })}
      onClose={onClose}
    >
      <NativeSelect
        label="Restore from"
        data={[...sources]}
        value={source}
        onChange={({ currentTarget }) =>
          setSource(sources.find(({ value }) => value === currentTarget.value)?.value ?? '')
        }
        data-autofocus
      />
      <PasswordInput
        label="Passphrase"
        description="Needed if the backup was encrypted with a key that the server no longer has"
        autoComplete="off"
        value={passphrase}
        onChange={(event) => setPassphrase(event.currentTarget.value)}
      />
    </JobForm>
  )
}
