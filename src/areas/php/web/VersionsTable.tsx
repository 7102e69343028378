import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { PhpVersions } from '../model.ts'
import { php } from './api.ts'
import { readPhpAgain, useVersions } from './queries.ts'

type Version = PhpVersions['versions'][number]
type Action = 'Install' | 'Remove'

const columnsOf = (onAsk: (asked: Asked) => void): Column<Version>[] => [
  {
    id: 'version',
    title: 'Version',
    value: ({ version }) => version,
    cell: ({ version, installed, package_version: packaged }) => (
      <>
        {installed ? <TextLink to={`/settings/php/${version}`}>PHP {version}</TextLink> : `PHP ${version}`}
        {packaged !== null && (
          <Text size="xs" className="anywhere">
            {packaged}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    value: ({ installed }) => Number(installed),
    cell: ({ installed }) => <StateBadge state={installed ? 'installed' : 'available'} />,
  },
  {
    id: 'extensions',
    title: 'Extensions',
    width: '45%',
    value: ({ extensions }) => extensions.length,
    cell: ({ extensions }) => <Text size="sm">{extensions.join(', ')}</Text>,
  },
  { id: 'websites', title: 'Websites', value: ({ websites }) => websites, cell: ({ websites }) => websites },
  {
    id: 'action',
    title: 'Action',
    cell: ({ version, installed, available, websites }) =>
      installed ? (
        <CutOffButton
          size="xs"
          disabled={websites > 0}
          aria-label={`Remove PHP ${version}`}
          onClick={() => onAsk({ action: 'Remove', version })}
        >
          Remove
        </CutOffButton>
      ) : (
        available && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Install PHP ${version}`}
            onClick={() => onAsk({ action: 'Install', version })}
          >
            Install
          </Button>
        )
      ),
  },
]

interface Asked {
  readonly action: Action
  readonly version: string
}

/** The versions of PHP that are installed or available. */
export function VersionsTable() {
  const { data, ...query } = useVersions()
  const page = useWholePage({ ...query, data: data?.versions })
  const [asked, setAsked] = useState<Asked>()
  const [job, setJob] = useState<Asked & { readonly id: number }>()
  return (
    <>
      <OngoingWork kind="php.install" />
      <OngoingWork kind="php.remove" />
      <DataTable
        label="Versions of PHP"
        columns={columnsOf(setAsked)}
        query={page}
        rowKey={({ version }) => version}
        empty={
          <Empty title="No versions">
            The package lists of this host have no PHP: check for updates to fetch them.
          </Empty>
        }
      />
      {asked && (
        <ChangeDialog
          title={`${asked.action} PHP ${asked.version}`}
          confirmLabel={asked.action}
          call={
            asked.action === 'Install'
              ? php.installVersion({ body: { version: asked.version } })
              : php.removeVersion({ body: { version: asked.version } })
          }
          onClose={() => setAsked(undefined)}
          onDone={({ job_id: id }: { readonly job_id: number }) => {
            setAsked(undefined)
            setJob({ ...asked, id })
          }}
        />
      )}
      {job && (
        <JobDialog
          title={`${job.action} PHP ${job.version}`}
          jobId={job.id}
          onClose={() => setJob(undefined)}
          onEnd={() => void readPhpAgain()}
        />
      )}
    </>
  )
}
