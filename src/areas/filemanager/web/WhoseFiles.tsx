import { useMe } from '../../auth/web/queries.ts'
import { LinkButton } from '../../../web/kit/LinkButton.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty, Loading } from '../../../web/kit/states.tsx'

/** Says how to get to files where the signed-in user has no home of their own. */
export function WhoseFiles() {
  const me = useMe()
  return (
    <Page title="Files">
      {me.isPending ? (
        <Loading />
      ) : (
        <Empty title="Your user has no Linux account" action={<LinkButton to="/websites">Go to the websites</LinkButton>}>
          Files belong to an account. Open those of a website from its page.
        </Empty>
      )}
    </Page>
  )
}
