import { Alert, Button, Stack, Text, Textarea } from '@mantine/core'
import { useWebsiteId } from '../../websites/web/use-website-id.ts'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { useWebsite } from '../../websites/web/queries.ts'
import { WebsiteTabs } from '../../websites/web/WebsiteTabs.tsx'
import { CronJobs } from './CronJobs.tsx'
import { CronRuns } from './CronRuns.tsx'
import { readCrontabAgain, replaceCall, useCrontab, useRunLine } from './queries.ts'

/** The crontab of a website: its text, the next runs of its jobs, and the last runs. */
export function CrontabPage() {
  const id = useWebsiteId()
  const website = useWebsite(id)
  const { data, error, refetch } = useCrontab(id)
  const running = useRunLine(id)
  const [jobId, setJobId] = useState<number>()
  return (
    <Page title={website.data?.domain ?? 'Website'} about="Commands that run at set times, under the owner.">
      <WebsiteTabs id={id} />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading />}
      {data && (
        <Stack gap="md">
          {data.reason !== null && <Alert color="orange">Nothing runs: {data.reason}.</Alert>}
          {running.error && <Failure error={running.error} />}
          <Editor key={data.crontab} id={id} text={data.crontab} />
          {data.jobs.length > 0 && (
            <SectionCard title="Next runs">
              <CronJobs
                jobs={data.jobs}
                timeZone={data.time_zone}
                isStarting={running.isPending}
                onRun={(line) => running.mutate(line, { onSuccess: ({ job_id }) => setJobId(job_id) })}
              />
            </SectionCard>
          )}
          <SectionCard title="Last runs">
            <CronRuns runs={data.runs} />
          </SectionCard>
        </Stack>
      )}
      {jobId !== undefined && (
        <JobDialog
          title="Run a line of the crontab"
          jobId={jobId}
          onClose={() => setJobId(undefined)}
          onEnd={() => void readCrontabAgain()}
        />
      )}
    </Page>
  )
}

function Editor({ id, text }: { readonly id: number; readonly text: string }) {
  const [draft, setDraft] = useState(text)
  const [isAsked, setIsAsked] = useState(false)
  return (
    <SectionCard title="Crontab">
      <Text size="sm">
        Minute, hour, day of the month, month, day of the week and a command; or a name such as @daily and a
        command.
      </Text>
      <Textarea
        label="Lines"
        autosize
        minRows={4}
        maxRows={20}
        spellCheck={false}
        styles={{ input: { fontFamily: 'monospace' } }}
        value={draft}
        onChange={({ currentTarget: { value } }) => setDraft(value)}
      />
      <Button w="fit-content" disabled={draft === text} onClick={() => setIsAsked(true)}>
        Review changes
      </Button>
      {isAsked && (
        <ChangeDialog
          title="Replace the crontab"
          confirmLabel="Save"
          call={replaceCall(id, draft)}
          onClose={() => setIsAsked(false)}
          onDone={() => {
            setIsAsked(false)
            notify('The crontab was saved.')
            void readCrontabAgain()
          }}
        />
      )}
    </SectionCard>
  )
}
