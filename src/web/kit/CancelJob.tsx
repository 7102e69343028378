import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { jobs } from '../../areas/jobs/web/api.ts'
import { run } from '../client.ts'
import { Failure } from './states.tsx'

/** A button that cancels a job, after a confirmation in its place. */
export function CancelJob({ jobId }: { readonly jobId: number }) {
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({ mutationFn: () => run(jobs.stopJob({ params: { id: jobId } })) })
  const letRun = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isAsking) letRun.current?.focus()
  }, [isAsking])
  if (!isAsking)
    return (
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        Cancel the job …
      </Button>
    )
  return (
    <Stack gap="xs" role="group" aria-label="Confirm the cancellation">
      <Text size="sm">Cancel the job? The steps that were done are undone where they can be.</Text>
      <Group gap="xs">
        <Button size="xs" variant="default" ref={letRun} onClick={() => setAsking(false)}>
          Keep it running
        </Button>
        <Button size="xs" color="red.9" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel the job
        </Button>
      </Group>
      {cancel.error && <Failure error={cancel.error} />}
    </Stack>
  )
}
