import { Migration } from '@mikro-orm/migrations';

export class PersonalData extends Migration {
  override up(): void {
    // Whose message it is, where a device sent it: it is then exported, moved and deleted with that device.
    this.addSql('alter table feedback add column device text');
    this.addSql('create index feedback_device on feedback (device) where device is not null');
    // What belongs to a device is found by it.
    this.addSql('create index answer_owner on answer (owner)');
    this.addSql('create index answer_stream_owner on answer_stream (owner)');
    this.addSql('create index answer_feedback_voter on answer_feedback (voter)');
    this.addSql('create index label_image_vote_voter on label_image_vote (voter)');
    this.addSql('create index label_image_report_voter on label_image_report (voter)');
    this.addSql('create index label_image_audit_who on label_image_audit (who)');
    // The log is never deleted from, so what a person wrote or may be known by has no place in it.
    this.addSql(`update change_log set data = data - 'answer_id' where subject_type = 'answer_feedback'`);
    this.addSql(`update change_log set data = data - 'target_id' where subject_type = 'feedback'
      and not (coalesce(data->>'target_type', '') in
          ('source', 'supplement', 'interaction', 'product', 'condition', 'article', 'biomarker')
        and coalesce(data->>'target_id', '') ~ '^[a-z0-9][a-z0-9-]{0,99}$')`);
  }
}
