import type { Names } from './names.ts'
import { pagesFile } from './rows-pages.ts'

/** The page of a new area over a tool: the state of the program, and buttons for its life cycle. */
export const toolPages = (names: Names): readonly (readonly [string, string])[] => [
  ['web/pages.ts', pagesFile(names)],
  ['web/queries.ts', queriesFile(names)],
  [`web/${names.pascal}Page.tsx`, pageFile(names)],
  ['web/ProgramActions.tsx', actionsFile(names)],
]

const queriesFile = ({ kebab, camel }: Names): string => `import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { ${camel} } from './api.ts'

/** GET /${kebab}/status */
export const useStatus = () =>
  useQuery({
    queryKey: ['${kebab}', 'status'],
    queryFn: ({ signal }) => run(${camel}.readStatus(), signal),
    refetchInterval: 5000,
  })
`

const pageFile = ({ pascal, title }: Names): string => `import { Group, Text } from '@mantine/core'
import { Page } from '../../../web/kit/Page.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { ${pascal}Status } from '../model.ts'
import { ProgramActions } from './ProgramActions.tsx'
import { useStatus } from './queries.ts'

/** The program: its state, and what can be done with it. */
export function ${pascal}Page() {
  const { data: status, error, refetch } = useStatus()
  return (
    <Page title="${title}" actions={status && <ProgramActions status={status} />}>
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !status && <Loading rows={1} />}
      {status && <ProgramState status={status} />}
    </Page>
  )
}

function ProgramState({ status }: { readonly status: ${pascal}Status }) {
  const { installed, running, version, reason } = status
  return (
    <Group gap="sm" role="status" aria-label="State of ${title}">
      <StateBadge state={installed ? (running ? 'active' : 'stopped') : 'missing'} />
      {version && <Text size="sm">Version {version}</Text>}
      {reason && <Text size="sm">{reason}</Text>}
    </Group>
  )
}
`

const actionsFile = ({
  kebab,
  camel,
  pascal,
  title,
}: Names): string => `import { Button } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { ${pascal}Status } from '../model.ts'
import { ${camel} } from './api.ts'

const labels = {
  install: 'Install',
  start: 'Start',
  restart: 'Restart',
  stop: 'Stop',
  uninstall: 'Uninstall',
} as const
type Verb = keyof typeof labels

function verbsFor({ installed, running }: ${pascal}Status): readonly Verb[] {
  if (!installed) return ['install']
  return running ? ['restart', 'stop', 'uninstall'] : ['start', 'uninstall']
}

/** The buttons of the life cycle; each shows first what it would do. */
export function ProgramActions({ status }: { readonly status: ${pascal}Status }) {
  const [asking, ask] = useState<Verb>()
  const [job, setJob] = useState<{ readonly id: number; readonly title: string }>()
  const done = async (verb: Verb, { job_id }: { readonly job_id?: number }) => {
    ask(undefined)
    if (job_id === undefined) notify(\`\${labels[verb]} ${title}: done.\`)
    else setJob({ id: job_id, title: \`\${labels[verb]} ${title}\` })
    await readAgain('${kebab}')
  }
  return (
    <>
      {verbsFor(status).map((verb) => (
        <Button key={verb} variant="default" onClick={() => ask(verb)}>
          {labels[verb]}
        </Button>
      ))}
      {asking && (
        <ChangeDialog
          title={\`\${labels[asking]} ${title}\`}
          confirmLabel={labels[asking]}
          call={${camel}[asking]()}
          onClose={() => ask(undefined)}
          onDone={(reply) => done(asking, reply)}
        />
      )}
      {job && (
        <JobDialog
          title={job.title}
          jobId={job.id}
          onClose={() => setJob(undefined)}
          onEnd={() => void readAgain('${kebab}', 'areas', 'programs', 'jobs')}
        />
      )}
    </>
  )
}
`
