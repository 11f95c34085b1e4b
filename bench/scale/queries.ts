/** Search queries: keywords, questions, names with filters, misspellings, drugs combined with supplements. */
export const QUERIES = [
  'q=magnesium',
  'q=omega-3+triglycerides&top_k=10',
  'q=vitamin+d+fracture+prevention',
  'q=ashwagandha+anxiety&human=true',
  'q=does+creatine+improve+strength+in+older+adults',
  'q=what+is+known+about+probiotics+for+antibiotic+associated+diarrhoea+in+children%3F',
  'q=turmeric+with+warfarin',
  'q=curcummin+osteoarthritis',
  'q=melatonin+jet+lag&year_from=2000',
  'q=iron+fatigue&supplement=iron',
  'q=coq10+statin+muscle+pain',
  'q=st+johns+wort+depression&min_quality_tier=B',
  'q=zinc+common+cold&top_k=50',
  'q=berberine+blood+sugar+type+2+diabetes',
  'q=fish+oil+atrial+fibrillation+risk&explain=true',
  'q=folic+acid+neural+tube+defects&source_class=systematic_review',
];
