import { Group, SimpleGrid, Switch, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { ReplicationServer } from '../model.ts'
import { ActionLog } from './ActionLog.tsx'
import { labelOf } from './category-label.ts'
import { useCategories, useCategorySwitch, useServer } from './queries.ts'

/** One server: what it repeats, and what it was sent. */
export function ServerPage() {
  const { id: text = '' }: { id?: string } = useParams({ strict: false })
  const id = Number(text)
  const { data, error, refetch } = useServer(id)
  if (!data)
    return (
      <Page title="Replication server">
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />}
      </Page>
    )
  return (
    <Page title={data.name} about={<Facts server={data} />}>
      <SectionCard title="Categories">
        <Categories id={id} />
      </SectionCard>
      <ActionLog server={data} />
    </Page>
  )
}

function Facts({ server }: { readonly server: ReplicationServer }) {
  const { host, port, status, enabled, message, pending, last_check, public_key } = server
  return (
    <>
      <Group gap="4px 12px">
        <StateBadge state={status} />
        <span>
          {host}, port {port}
        </span>
        {!enabled && <span>Changes are held back</span>}
        {pending > 0 && <span>{pending} waiting</span>}
        {last_check && (
          <span>
            Tested <Moment time={last_check} />
          </span>
        )}
      </Group>
      <Text size="sm" mt={4} className="anywhere">
        {public_key === '' ? 'Its public key is kept at the first contact.' : `Public key ${public_key}`}
      </Text>
      {message !== '' && (
        <Text size="sm" className="anywhere">
          {message}
        </Text>
      )}
    </>
  )
}

function Categories({ id }: { readonly id: number }) {
  const { data, error, refetch } = useCategories(id)
  const setting = useCategorySwitch(id)
  if (!data) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />
  return (
    <>
      <Text size="sm" c="dimmed">
        Changes from now on; what exists is not copied. While it repeats websites, only superusers create
        websites there.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {data.map(({ category, enabled }) => (
          <Switch
            key={category}
            label={labelOf(category)}
            checked={enabled}
            disabled={setting.isPending}
            onChange={(event) => setting.mutate({ category, enabled: event.currentTarget.checked })}
          />
        ))}
      </SimpleGrid>
    </>
  )
}
