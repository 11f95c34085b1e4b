import type { Page } from '#core/plugin.ts';
import type { InteractionServices } from '../services.ts';
import { interactionPage } from './interaction-page.ts';
import { interactionsPage } from './interactions-page.ts';
import { pairAddress } from './pair-address.ts';

export const interactionPages: readonly Page<InteractionServices>[] = [interactionsPage, interactionPage, pairAddress];
