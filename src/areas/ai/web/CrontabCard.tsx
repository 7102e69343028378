import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { type CronJobs, CrontabDraft } from '../crontab-model.ts'
import { ai } from './api.ts'
import { done } from './done.ts'
import { useCronJobs } from './queries.ts'

const text = {
  jobs: { label: 'Jobs' },
  'jobs.schedule': { label: 'Schedule', hint: 'Five fields, or a name such as @daily' },
  'jobs.command': { label: 'Command' },
}

/** The crontab of the account of the assistant. */
export function CrontabCard() {
  const { data, error, refetch } = useCronJobs()
  const [isEditing, setEditing] = useState(false)
  const close = () => setEditing(false)
  return (
    <SectionCard title="Crontab">
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading rows={2} />}
      {data?.length === 0 && <Text size="sm">No jobs.</Text>}
      {data?.map(({ schedule, command }, index) => (
        <Text key={index} size="sm" ff="monospace" className="anywhere">
          {schedule} {command}
        </Text>
      ))}
      {data && (
        <Button w="fit-content" variant="default" onClick={() => setEditing(true)}>
          Edit the crontab
        </Button>
      )}
      {isEditing && data && (
        <PlannedForm
          title="Crontab of the assistant"
          confirmLabel="Save"
          size="xl"
          schema={CrontabDraft}
          text={text}
          given={{ jobs: data }}
          callOf={(body: { readonly jobs: CronJobs }) => ai.replaceAssistantCrontab({ body })}
          onClose={close}
          onDone={() => done(close, 'The crontab was saved.')}
        />
      )}
    </SectionCard>
  )
}
