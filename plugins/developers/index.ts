import { definePlugin } from '#core/plugin.ts';
import { evidencePlugin } from '#plugins/evidence/index.ts';
import { keysPlugin } from '#plugins/keys/index.ts';
import { clientRoutes } from './clients/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { changelogPage, changelogRoutes } from './pages/changelog.ts';
import { docsPage } from './pages/docs.ts';
import { errorsPage } from './pages/errors.ts';
import { overviewPage } from './pages/overview.ts';
import { playgroundPage } from './pages/playground.ts';
import { referencePage, referenceTagPage } from './pages/reference.ts';
import { useCasePages } from './pages/use-cases.ts';
import { forgetSandboxKeys } from './sandbox/jobs.ts';
import { sandboxPage, sandboxRoutes } from './sandbox/routes.ts';
import { type DeveloperServices, startDevelopers } from './services.ts';

/** Registers the developer portal, which takes integrators to a first successful call within a minute. */
export const developersPlugin = definePlugin<DeveloperServices>({
  name: 'developers',
  summary: 'The portal for integrators: sandbox keys, reference, playground, use of a key, clients',
  dependencies: [keysPlugin, evidencePlugin],
  routes: [...sandboxRoutes, ...dashboardRoutes, ...changelogRoutes, ...clientRoutes],
  pages: [
    overviewPage,
    docsPage,
    referencePage,
    referenceTagPage,
    errorsPage,
    changelogPage,
    ...useCasePages,
    sandboxPage,
    playgroundPage,
  ],
  jobs: [forgetSandboxKeys],
  start: startDevelopers,
});
