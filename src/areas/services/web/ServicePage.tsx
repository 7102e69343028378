import { Alert, Group, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { formatBytes } from '../../../web/kit/format.ts'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { Service } from '../model.ts'
import { useService } from './queries.ts'
import { ServiceActions } from './ServiceActions.tsx'
import { ServiceLog } from './ServiceLog.tsx'
import { stateOf } from './state.ts'

/** One service: its state, its actions and its live log. */
export function ServicePage() {
  const { name = '' }: { name?: string } = useParams({ strict: false })
  const { data, error, refetch } = useService(name)
  if (!data)
    return (
      <Page title={name}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />}
      </Page>
    )
  return (
    <Page title={name} about={<Facts service={data} />} actions={<ServiceActions service={data} />}>
      {data.is_panel && (
        <Alert color="indigo" title="The panel runs in this service">
          Stop or restart it with the service manager of the host.
        </Alert>
      )}
      <ServiceLog name={data.name} />
    </Page>
  )
}

function Facts({ service }: { readonly service: Service }) {
  const {
    description,
    state,
    enabled,
    memory_bytes: memory,
    started_at: startedAt,
    driven_by: area,
  } = service
  return (
    <>
      <Text size="sm">{description}</Text>
      <Group gap="4px 12px" mt={4}>
        <StateBadge state={stateOf(service)} />
        <span>{state}</span>
        <span>{enabled ? 'Starts with the host' : 'Does not start with the host'}</span>
        {startedAt && (
          <span>
            Started <Moment time={startedAt} />
          </span>
        )}
        {memory !== null && <span>{formatBytes(memory)}</span>}
        {area && <TextLink to={area.path}>{area.title}</TextLink>}
      </Group>
    </>
  )
}
