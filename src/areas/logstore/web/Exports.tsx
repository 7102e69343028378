import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { request, run } from '../../../web/client.ts'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes, formatMoment } from '../../../web/kit/format.ts'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import type { LogExport } from '../sent-model.ts'
import { logstore } from './api.ts'
import { type Asked, choiceOf } from './asked.ts'
import { useExports } from './queries.ts'

const formats = [
  { format: 'csv', label: 'Export as CSV' },
  { format: 'jsonl', label: 'Export as JSON lines' },
] as const

/** Exports the lines of a search, and lists the files that can be downloaded. */
export function Exports({ asked }: { readonly asked: Asked }) {
  const query = useExports()
  const [job, show] = useState<number>()
  const starting = useMutation({
    mutationFn: (format: (typeof formats)[number]['format']) =>
      run(logstore.exportLogs({ body: { ...choiceOf(asked), format } })),
    onSuccess: ({ job_id }) => show(job_id),
  })
  return (
    <SectionCard title="Exports">
      <Text size="sm">All lines of this search, at most 1,000,000. Each file is removed after a day.</Text>
      <Group gap="xs">
        {formats.map(({ format, label }) => (
          <Button
            key={format}
            variant="default"
            loading={starting.isPending && starting.variables === format}
            onClick={() => starting.mutate(format)}
          >
            {label}
          </Button>
        ))}
      </Group>
      {starting.error && <Failure error={starting.error} />}
      <DataTable
        label="Exports"
        columns={columns}
        query={useWholePage(query)}
        rowKey={({ filename }) => filename}
        empty={<Empty title="No exports">Those of the last day can be downloaded here.</Empty>}
      />
      {job !== undefined && (
        <JobDialog
          title="Export log lines"
          jobId={job}
          onClose={() => show(undefined)}
          onEnd={() => void readAgain('logstore', 'jobs')}
        />
      )}
    </SectionCard>
  )
}

const columns: readonly Column<LogExport>[] = [
  {
    id: 'name',
    title: 'File',
    cell: ({ filename }) => (
      <Text size="sm" className="anywhere">
        {filename}
      </Text>
    ),
  },
  { id: 'size', title: 'Size', align: 'right', cell: (file) => formatBytes(file.size_bytes) },
  { id: 'until', title: 'Kept until', cell: (file) => formatMoment(file.expires_at) },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: ({ filename }) => (
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        aria-label={`Download ${filename}`}
        onClick={() => void download(filename).catch((error: unknown) => notify(textOf(error), true))}
      >
        Download
      </Button>
    ),
  },
]

const addressMs = 60_000

/** Hands an export to the browser as a file. */
async function download(filename: string): Promise<void> {
  const answer = await request(logstore.downloadLogExport({ params: { filename } }))
  const url = URL.createObjectURL(new Blob([await answer.blob()], { type: 'application/octet-stream' }))
  Object.assign(document.createElement('a'), { href: url, download: filename }).click()
  setTimeout(() => URL.revokeObjectURL(url), addressMs)
}
