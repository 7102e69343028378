import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { run } from '../../../web/client.ts'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import { docdbServer } from './api.ts'

/** Starts, stops and restarts the server. */
export function ServerActions({ isRunning }: { readonly isRunning: boolean }) {
  const [asking, setAsking] = useState<'stop' | 'restart'>()
  const start = useMutation({
    mutationFn: () => run(docdbServer.start()),
    onSuccess: () => notify('The document server is running.'),
    onError: (error) => notify(textOf(error), true),
    onSettled: () => readAgain('docdb-server'),
  })
  if (!isRunning)
    return (
      <Button loading={start.isPending} onClick={() => start.mutate()}>
        Start
      </Button>
    )
  return (
    <>
      <CutOffButton onClick={() => setAsking('restart')}>Restart</CutOffButton>
      <CutOffButton onClick={() => setAsking('stop')}>Stop</CutOffButton>
      {asking && (
        <ChangeDialog
          title={asking === 'stop' ? 'Stop the document server' : 'Restart the document server'}
          confirmLabel={asking === 'stop' ? 'Stop it' : 'Restart it'}
          isCutOff
          call={docdbServer[asking]()}
          onClose={() => setAsking(undefined)}
          onDone={() => {
            setAsking(undefined)
            return readAgain('docdb-server')
          }}
        />
      )}
    </>
  )
}
