/** Tests the starter content on pairs that any pharmacist knows, with names as people write them. */
import assert from 'node:assert/strict';
import { api, bearer } from '../../support/client.ts';
import { type SharedService, sharedService } from '../../support/shared.ts';

const SEVERITIES = ['contraindicated', 'major', 'moderate', 'minor'];

/** The names to check, the expected resolved slugs, and the minimum severity. */
const PAIRS = `
St. John's Wort | sertraline | st-johns-wort sertraline | contraindicated
st johns wort | Prozac | st-johns-wort fluoxetine | contraindicated
SJW | ethinyl estradiol | st-johns-wort ethinyl-estradiol | major
hypericum | Neoral | st-johns-wort cyclosporine | contraindicated
St John’s wort | digoxine | st-johns-wort digoxin | major
St. Johns Wort | Coumadin | st-johns-wort warfarin | contraindicated
st-johns-wort | Crixivan | st-johns-wort indinavir | contraindicated
Ginkgo biloba | warfarin | ginkgo warfarin | major
ginko | aspirine | ginkgo aspirin | major
garlic | warfarin | garlic warfarin | moderate
ginseng | Jantoven | ginseng warfarin | moderate
vitamin K | warfarin | vitamin-k warfarin | moderate
dong quai | warfarin | dong-quai warfarin | major
cranberry | warfarin | cranberry warfarin | moderate
fish oil | warfarin | omega-3 warfarin | moderate
turmeric | Plavix | curcumin clopidogrel | moderate
coenzyme Q10 | warfarin | coenzyme-q10 warfarin | moderate
vitamin E | warfarin | vitamin-e warfarin | moderate
calcium | levothyroxine | calcium levothyroxine | moderate
iron | Synthroid | iron levothyroxine | moderate
magnesium | ciprofloxacin | magnesium ciprofloxacin | moderate
zinc | Cipro | zinc ciprofloxacin | moderate
calcium | tetracycline | calcium tetracycline | moderate
iron | doxycycline | iron doxycycline | moderate
magnesium | alendronate | magnesium alendronate | moderate
potassium | lisinopril | potassium lisinopril | major
potassium | Aldactone | potassium spironolactone | major
liquorice | furosemide | licorice furosemide | moderate
licorice | prednisone | licorice prednisone | moderate
5-HTP | phenelzine | 5-htp phenelzine | contraindicated
5htp | fluoxetin | 5-htp fluoxetine | contraindicated
SAMe | escitalopram | s-adenosylmethionine escitalopram | major
kava | Xanax | kava alprazolam | major
valerian | lorazepam | valerian lorazepam | moderate
melatonin | zolpidem | melatonin zolpidem | moderate
grapefruit juice | Zocor | grapefruit simvastatin | major
grapefruit | Plendil | grapefruit felodipine | major
red yeast rice | Lipitor | red-yeast-rice atorvastatin | major
niacin | atorvastatin | niacin atorvastatin | moderate
berberine | metformin | berberine metformin | moderate
goldenseal | metoprolol | goldenseal metoprolol | moderate
echinacea | tacrolimus | echinacea tacrolimus | major
tyramine | Nardil | tyramine phenelzine | contraindicated
soy | levothyroxine | soy-isoflavones levothyroxine | moderate
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [supplement: string, drug: string, read: string, least: string]);

describe('well-known pairs', () => {
  let service: SharedService;
  before(async function () {
    this.timeout(300_000);
    service = await sharedService();
  });
  const ask = async (supplement: string, drug: string) => {
    const reply = await api(service)
      .get('/api/interactions/check')
      .query({ supplement, drug })
      .set(...bearer(service.admin.key));
    assert.equal(reply.status, 200);
    return reply.body;
  };

  it('are found under their names with at least the known severity', async () => {
    const wrong: string[] = [];
    for (const [supplement, drug, read, least] of PAIRS) {
      const body = await ask(supplement, drug);
      const named = `${body.resolved.supplement?.slug} ${body.resolved.drug?.slug}`;
      const graveEnough = body.found && SEVERITIES.indexOf(body.severity) <= SEVERITIES.indexOf(least);
      if (named !== read || !graveEnough)
        wrong.push(`${supplement} with ${drug}: ${named} ${body.found ? body.severity : 'not found'}`);
    }
    assert.deepEqual(wrong, []);
    assert.ok(PAIRS.length >= 40);
  });

  it('belong to at least 1,300 unique pairs, each with a source', async () => {
    const { body } = await api(service)
      .get('/api/interactions')
      .set(...bearer(service.admin.key));
    assert.ok(body.length >= 1_300, String(body.length));
    assert.ok(body.every(({ source_count: sources }: { source_count: number }) => sources > 0));
    assert.equal(new Set(body.map(({ slug }: { slug: string }) => slug)).size, body.length);
  });
});
