"""Headers in Korean and Chinese, written without blanks; statistics, units and counters are taken off first.

"평균 첫 토큰 지연 시간 (ms)" is looked up as 첫토큰지연시간, "平均首字延迟（秒）" as 首字延迟. Words that
people use for two things (소요 시간 of a request or of the test, 生成速度 of a user or of the server)
are left out on purpose.
"""

from __future__ import annotations

from collections.abc import Mapping

METRIC_PHRASES: Mapping[str, str] = {
    "ttft": """
        첫토큰 첫토큰지연 첫토큰지연시간 첫토큰시간 첫토큰응답시간 첫토큰대기시간 첫토큰생성시간 첫토큰까지시간
        첫토큰까지의시간 첫토큰까지걸린시간 최초토큰 최초토큰지연 최초토큰지연시간 최초토큰시간 최초토큰응답시간
        ttft지연 ttft지연시간 ttft시간 首字 首字延迟 首字时延 首字耗时 首字时间 首字响应时间 首字返回时间
        首token 首token延迟 首token时延 首token耗时 首token时间 首token响应时间 首个token 首个token延迟
        首个token时延 首个token耗时 首个token时间 首包 首包延迟 首包时延 首包耗时 首包时间 首词延迟 首词时延
        第一个token延迟 第一个token时延 第一个token时间 ttft延迟 ttft时延 ttft耗时 首字延遲 首token延遲
        首個token延遲""",
    "tpot": """
        토큰당지연 토큰당지연시간 토큰당시간 토큰당생성시간 토큰당출력시간 출력토큰당시간 출력토큰당지연
        출력토큰당지연시간 tpot지연 每token延迟 每token时延 每token耗时 每token时间 每个token延迟 每个token时延
        每个token耗时 每个token时间 每输出token延迟 每输出token时延 每输出token时间 每输出token耗时
        每个输出token延迟 每个输出token时延 每个输出token时间 每个输出token耗时 单token延迟 单token时延
        单token耗时 tpot延迟 tpot时延""",
    "itl": """
        토큰간지연 토큰간지연시간 토큰간시간 토큰간간격 토큰간격 토큰사이시간 토큰사이지연 itl지연 token间延迟
        token间时延 token间隔 token间隔时间 token间时间 词间延迟 词间时延 逐token延迟 逐token时延 令牌间延迟
        itl延迟""",
    "e2e": """
        지연 지연시간 전체지연 전체지연시간 총지연 총지연시간 응답시간 전체응답시간 총응답시간 요청지연
        요청지연시간 요청응답시간 종단간지연 종단간지연시간 엔드투엔드지연 엔드투엔드지연시간 레이턴시
        전체레이턴시 延迟 时延 总延迟 总时延 响应时间 总响应时间 响应延迟 响应时延 请求延迟 请求时延 请求耗时
        请求响应时间 端到端延迟 端到端时延 端到端耗时 延遲 總延遲 響應時間""",
    "queue": """
        대기시간 큐대기시간 큐시간 대기열시간 대기열대기시간 排队时间 排队延迟 排队时延 排队耗时 等待时间
        队列时间 队列等待时间""",
    "rtf": "실시간계수 실시간율 实时率 实时因子",
}  # fmt: skip
"""By the value of a metric."""

INVERSE_PHRASES = "배속 실시간배속 倍速 实时倍速 加速比 提速比"

ROLE_PHRASES: Mapping[str, str] = {
    "asked_concurrency": """
        동시성 동시성수준 동시요청 동시요청수 동시사용자 동시사용자수 동시접속 동시접속수 동시접속자
        동시접속자수 동시처리수 동시세션 동시세션수 동시클라이언트수 동시호출수 가상사용자 가상사용자수 사용자수
        병렬요청수 并发 并发数 并发量 并发度 并发级别 并发请求 并发请求数 并发用户 并发用户数 并发连接
        并发连接数 并发会话数 并发线程数 并发路数 测试并发 测试并发数 并行请求数 线程数 客户端数 用户数
        虚拟用户数 同时请求数 並發 並發數 併發 併發數""",
    "measured_concurrency": """
        실제동시성 실제동시요청수 측정동시성 측정동시요청수 유효동시성 实际并发 实际并发数 实测并发 实测并发数
        有效并发 有效并发数""",
    "asked_rate": """
        목표rps 목표요청률 목표요청속도 목표초당요청수 도착률 요청도착률 目标rps 目标请求速率 目标请求率 到达率
        请求到达率 发送速率 请求发送速率""",
    "rate": "요청률 요청율 요청속도 请求速率 请求率",
    "request_rate": """
        요청처리량 실제rps 실제요청률 실제요청속도 초당완료요청수 초당처리요청수 请求吞吐 请求吞吐量 实际rps
        实际请求速率 每秒完成请求数""",
    "requests_sent": """
        요청수 총요청 총요청수 전체요청수 요청건수 총요청건수 전체요청건수 请求数 总请求 总请求数 请求总数
        请求量 总请求量 请求次数 總請求數""",
    "requests_good": """
        성공 성공수 성공요청 성공요청수 성공건수 완료요청 완료요청수 완료건수 成功 成功数 成功请求 成功请求数
        成功次数 完成数 完成请求 完成请求数""",
    "requests_failed": """
        실패 실패수 실패요청 실패요청수 실패건수 오류수 오류건수 에러수 에러건수 失败 失败数 失败请求 失败请求数
        失败次数 错误数 错误请求数 错误次数 报错数""",
    "requests_cut_off": "미완료 미완료수 시간초과수 타임아웃수 취소수 未完成 未完成数 超时数 超时请求数 取消数",
    "error_rate": "오류율 에러율 실패율 오류비율 실패비율 错误率 失败率 报错率 出错率",
    "success_rate": "성공률 성공율 성공비율 成功率",
    "duration_s": """
        측정시간 테스트시간 부하시간 총측정시간 총테스트시간 총소요시간 실행시간 用时 总用时 测试用时 总耗时
        测试耗时 测试时长 压测时长 压测时间 运行时间 运行时长 持续时间""",
    "output_tok_s": """
        출력처리량 출력토큰처리량 생성처리량 생성토큰처리량 초당출력토큰 초당출력토큰수 초당생성토큰수 输出吞吐
        输出吞吐量 输出token吞吐 输出token吞吐量 生成吞吐 生成吞吐量 每秒输出token数 每秒生成token数""",
    "total_tok_s": "전체처리량 총처리량 전체토큰처리량 총토큰처리량 总吞吐 总吞吐量 总token吞吐 总token吞吐量",
    "throughput": "처리량 토큰처리량 吞吐 吞吐量 吞吐率 token吞吐 token吞吐量",
    "input_asked": "입력길이 프롬프트길이 입력토큰길이 输入长度 输入token长度 提示词长度 prompt长度",
    "output_asked": "출력길이 출력토큰길이 생성길이 输出长度 输出token长度 生成长度",
    "input_tokens_mean": """
        입력토큰 입력토큰수 프롬프트토큰 프롬프트토큰수 输入token 输入token数 输入token数量 提示token数
        输入令牌数""",
    "output_tokens_mean": """
        출력토큰 출력토큰수 생성토큰 생성토큰수 输出token 输出token数 输出token数量 生成token数 输出令牌数""",
    "input_total": "총입력토큰 총입력토큰수 전체입력토큰수 总输入token 总输入token数 输入token总数",
    "output_total": "총출력토큰 총출력토큰수 전체출력토큰수 总输出token 总输出token数 输出token总数",
    "cache_hit_rate": "캐시적중률 캐시적중율 캐시히트율 프리픽스캐시적중률 缓存命中率 前缀缓存命中率",
    "kv_used_fraction": "kv캐시사용률 kv캐시사용율 kv缓存使用率 kv缓存利用率 kvcache使用率",
    "batch": "배치크기 배치사이즈 批大小 批次大小 批量大小 batch大小",
    "gpu": """
        가속기 가속기종류 gpu종류 gpu모델 gpu유형 그래픽카드 显卡 显卡型号 gpu型号 加速卡 加速卡型号 卡型 硬件
        芯片""",
    "conditions.model": "모델 모델명 모델이름 模型 模型名 模型名称",
    "conditions.accelerator_count": "gpu수 gpu개수 가속기수 가속기개수 gpu数 gpu数量 卡数 显卡数 显卡数量 加速卡数",
    "conditions.tp": "텐서병렬 텐서병렬크기 텐서병렬수 张量并行 张量并行度 tp数",
    "conditions.replicas": "복제본수 레플리카수 副本数 实例数",
    "conditions.precision": "정밀도 가중치정밀도 양자화 양자화방식 精度 量化 量化方式 量化精度",
    "conditions.engine": "엔진 추론엔진 서빙엔진 프레임워크 추론프레임워크 引擎 推理引擎 框架 推理框架 部署框架",
    "conditions.engine_version": "엔진버전 프레임워크버전 引擎版本 框架版本 vllm版本",
    "ignored": "날짜 일시 시각 시간 비고 메모 번호 순번 회차 日期 时间 备注 序号 编号 轮次 说明",
}  # fmt: skip
