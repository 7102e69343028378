import { Alert, Badge, Card, Code, Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import Type from 'typebox'
import { run } from '../../../web/client.ts'
import { humanize } from '../../../web/kit/format.ts'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import { LicenceKey, type PanelLicence } from '../model.ts'
import { licence } from './api.ts'
import { useLicence } from './queries.ts'
import { type Fact, type LicenceView, viewOf } from './view.ts'

/** The licence of this host, what it grants, and the form that activates one. */
export function LicencePage() {
  const { data, error, refetch, isPending } = useLicence()
  return (
    <Page title="Licence" about="Without a licence only licensed features are unavailable.">
      <SettingsTabs />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Current view={viewOf(data)} />
          <Activation licensed={data} />
        </SimpleGrid>
      )}
    </Page>
  )
}

function Current({ view: { state, meaning, facts, features } }: { readonly view: LicenceView }) {
  return (
    <Card withBorder radius="lg" p="lg">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h4">
            Current licence
          </Title>
          <StateBadge state={state} />
        </Group>
        <Text size="sm">{meaning}</Text>
        <Table aria-label="Current licence" layout="fixed">
          <Table.Tbody>
            {facts.map((fact) => (
              <Table.Tr key={fact.term}>
                <Table.Th scope="row" w="30%">
                  {fact.term}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <FactValue fact={fact} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {features.length > 0 && (
          <Group gap="xs" role="list" aria-label="Features">
            {features.map(({ name, isAvailable }) => (
              <Badge
                key={name}
                role="listitem"
                variant="light"
                color={isAvailable ? 'green' : 'gray'}
                tt="none"
              >
                {humanize(name)}
                {!isAvailable && ': unavailable'}
              </Badge>
            ))}
          </Group>
        )}
      </Stack>
    </Card>
  )
}

const FactValue = ({ fact: { text, time } }: { readonly fact: Fact }) =>
  text === undefined ? <Moment time={time} /> : <>{text}</>

const KeyDraft = Type.Object({ license_key: LicenceKey })
const keyText = { license_key: { label: 'Licence key', hint: 'It replaces the current licence' } }

function Activation({ licensed }: { readonly licensed: PanelLicence }) {
  const [count, setCount] = useState(0)
  const activate = async (body: { readonly license_key: string }) => {
    const { success, status } = await run(licence.activateLicence({ body }))
    notify(success ? 'The licence is in force.' : `The licence was stored. It is ${status}.`, !success)
    setCount(count + 1)
    await readAgain('licence')
  }
  return (
    <Card withBorder radius="lg" p="lg">
      <Stack gap="md">
        <Title order={2} size="h4">
          Activate a licence
        </Title>
        {licensed.can_activate ? (
          <SchemaForm
            key={count}
            schema={KeyDraft}
            text={keyText}
            submitLabel="Activate"
            reviewOf={(body) => licence.activateLicence({ body })}
            onSubmit={activate}
          />
        ) : (
          <Alert color="indigo" title="No licence server is set">
            <Text size="sm">
              Set <Code>license_url</Code> and <Code>license_public_key</Code> under{' '}
              <TextLink to="/settings">Panel</TextLink>, and restart the panel.
            </Text>
          </Alert>
        )}
      </Stack>
    </Card>
  )
}
