import { Alert, Switch } from '@mantine/core'
import { useState } from 'react'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { useMe } from '../../auth/web/queries.ts'
import { ConfigEditor } from './ConfigEditor.tsx'
import { LbproxyFrame } from './LbproxyFrame.tsx'
import { useConfig } from './queries.ts'

/** The configuration as text, with a preview of an edit and HAProxy's messages about it. */
export function ConfigPage() {
  return <LbproxyFrame>{() => <Configuration />}</LbproxyFrame>
}

function Configuration() {
  const me = useMe()
  const [reveals, setReveals] = useState(false)
  const [isDirty, setDirty] = useState(false)
  const config = useConfig(reveals)
  const read = () => config.refetch({ throwOnError: true }).then(({ data }) => data)
  return (
    <>
      {config.data?.content.includes('••') && (
        <Alert color="blue" py="xs">
          Passwords are hidden. A line whose password stays hidden keeps it.
        </Alert>
      )}
      {config.error && !config.data && <Failure error={config.error} onRetry={() => void config.refetch()} />}
      {config.isPending && <Loading rows={8} />}
      {config.data && (
        <ConfigEditor key={String(reveals)} first={config.data} onDirty={setDirty} read={read}>
          {me.data?.is_admin && (
            <Switch
              label="Show passwords"
              checked={reveals}
              disabled={isDirty}
              onChange={(event) => setReveals(event.currentTarget.checked)}
            />
          )}
        </ConfigEditor>
      )}
    </>
  )
}
